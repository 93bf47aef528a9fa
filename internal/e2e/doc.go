// Package e2e holds the browser tests: the app as a person uses it, in real Chromium. It contains only tests.
// SANAD_PICTURES=DIR makes them save screenshots of every page for a person to look at.
package e2e
