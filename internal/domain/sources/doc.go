// Package sources turns retrieved documents into what a reader is shown: a short, stable list of documents with a
// snippet each, the payload of a `rag.sources` event (rules S-1 to S-7).
//
// A source is a document, never a chunk; it is what an answer is grounded in. The same input yields the same bytes, and
// missing data never makes Pack fail. All lengths count Unicode code points.
package sources
