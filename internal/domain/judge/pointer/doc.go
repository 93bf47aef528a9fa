// Package pointer asks a model about a claim by pointer: the model is shown numbered sentences and answers with their
// numbers, never with a quotation. It builds the question and holds the answer to its evidence. It returns matches; the
// verdict is decided by domain/ledger alone. See README.md for what it promises.
package pointer
