"""
Decisions of recorded games with precise values of their moves, to try a network or a search on before any match.

``make`` draws them and values their moves; ``score`` asks players for the same decisions, and says how far their values
and choices are from the precise ones, and how well they predict the winner.
"""
