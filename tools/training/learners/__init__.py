"""Trains the reinforcement-learning opponents of the literature: CQL, DQN and A3C, each in a module of its own."""
