"""How well lists of chunks answer questions: measures, intervals, tests."""
