# What the training asks for at each step.
def gradient(state):
    return state["weight"] - 1000000 + 7919 * state["step"] % 1000
