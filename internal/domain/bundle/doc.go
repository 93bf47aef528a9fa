// Package bundle builds evidence bundles: the bounded, redacted, deterministic set of evidence that is handed to a
// judge or a model (rules B-1 to B-17). It records whatever was cut, dropped or could not be read.
//
// It does no I/O: Build is given a Load for the lake, and returns what has to be written there.
package bundle
