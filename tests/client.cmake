# Tests of client.
