"""Modules with the names and the documented behaviour of XRPLib, Open-STEM's library for the XRP; written anew for this project."""
