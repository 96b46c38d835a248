"""Stands for the Bluetooth of the robot's firmware: nobody is ever connected."""
