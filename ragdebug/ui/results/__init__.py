"""What the Results page is made of."""
