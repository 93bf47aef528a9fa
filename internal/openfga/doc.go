// Package openfga is the second access.Authorizer: it asks an OpenFGA server over HTTP (rule P-20), and keeps
// the roles there in step with the database. The model it ships is model.fga, for people, and model.json, for the
// server. docs/openfga.md says how to run it, and why it may only ever deny more than the built-in one.
package openfga
