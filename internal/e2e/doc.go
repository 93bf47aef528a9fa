// Package e2e holds the browser tests: the app as a person meets it, in real Chromium. There is no code here but tests.
// SANAD_PICTURES=DIR makes them leave pictures of every page for a person to look at.
package e2e
