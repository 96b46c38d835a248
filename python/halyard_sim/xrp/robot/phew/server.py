def _keep(*arguments, **named):
    return lambda function: function


route = catchall = _keep


def add_route(*arguments, **named):
    pass


def set_callback(function):
    pass


def redirect(url, status=301):
    return None


def stop():
    pass


def close():
    pass


def run(*arguments, **named):
    raise NotImplementedError("the virtual robot has no web server")
