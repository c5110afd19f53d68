"""The local judge: runs bots the way Botzone does and referees their games."""
