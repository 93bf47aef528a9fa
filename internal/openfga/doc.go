// Package openfga implements access.Authorizer with an OpenFGA server over HTTP (rule P-20), and keeps the roles there
// in step with the database. It ships its model twice: model.fga for people, model.json for the server. docs/openfga.md
// describes how to run it, and why it may deny more than the built-in Authorizer but never allow more.
package openfga
