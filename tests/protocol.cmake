# Tests of protocol.
