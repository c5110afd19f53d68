"""
Pages in HTML: what they share (cards, words, templates), and the data of a game as a page shows it.

``base.html``, ``cards.css``, ``cards.js`` and ``words.js`` serve every page; ``replay*`` is the page of a recorded
game.
"""
