from time import *
