"""What is remembered: facts, vectors, uploads and saved indexes of one workspace."""
