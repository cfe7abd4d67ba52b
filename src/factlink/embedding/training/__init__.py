"""Training by stochastic gradient descent: Algorithm 1 of the paper."""
