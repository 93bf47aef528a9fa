// Package sources turns what a retriever found into what a reader is shown: a short, stable list of documents with a
// snippet each, the payload of a `rag.sources` event (rules S-1 to S-7).
//
// A source is a document and never a chunk; it grounds an answer and is none. The same input gives the same bytes, and
// nothing that is missing makes Pack fail. All lengths count Unicode code points.
package sources
