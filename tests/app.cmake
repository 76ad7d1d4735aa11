# Tests of app.
