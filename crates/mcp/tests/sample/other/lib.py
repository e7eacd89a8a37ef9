def shared_helper():
    return 1
