package importers

import (
	"sanad/internal/domain"
)

// badSessions are faults of the session's own fields.
var badSessions = []badInput{
	{
		name: "no session", in: `{"format":"sanad.session/v1"}`, kind: domain.Invalid, path: "session",
		says: "give an object",
	},
	{name: "session null", in: session("null"), kind: domain.Invalid, path: "session", says: "give an object"},
	{name: "session a list", in: session("[]"), kind: domain.Invalid, path: "session", says: "give an object"},
	{
		name: "nothing to review", in: session(`{"answer":" "}`), kind: domain.Invalid, path: "session.answer",
		says: "give the answer",
	},
	{
		name: "nothing checkable", in: session(`{"answer":"Hello! How are you?"}`), kind: domain.Invalid,
		path: "session.answer", says: `"claims"`,
	},
	{
		name: "answer a number", in: session(`{"answer":5}`), kind: domain.Invalid, path: "session.answer",
		says: "double quotes",
	},
	{
		name: "query a list", in: session(`{"query":[]}`), kind: domain.Invalid, path: "session.query",
		says: "double quotes",
	},
	{
		name: "title a bool", in: session(`{"title":true}`), kind: domain.Invalid, path: "session.title",
		says: "double quotes",
	},
	{
		name: "mode an object", in: session(`{"mode":{}}`), kind: domain.Invalid, path: "session.mode",
		says: "double quotes",
	},
	{
		name: "language", in: session(`{"answer":"x","lang":"in English"}`), kind: domain.Invalid,
		path: "session.lang", says: "ar-SA",
	},
	{
		name: "documents an object", in: head + `"documents":{}}`, kind: domain.Invalid, path: "documents",
		says: "give a list",
	},
	{
		name: "document a text", in: head + `"documents":["x"]}`, kind: domain.Invalid, path: "documents[0]",
		says: "give an object",
	},
	{
		name: "document null", in: head + `"documents":[null]}`, kind: domain.Invalid, path: "documents[0]",
		says: "leave the item out",
	},
}

// badDocuments are faults of documents, pages and chunks.
var badDocuments = []badInput{
	{
		name: "no content", in: doc(`"filename":"f"`), kind: domain.Invalid, path: "documents[0]",
		says: "exactly one of text, pages, chunks, lake and library",
	},
	{
		name: "two contents", in: doc(`"text":"a","chunks":[]`), kind: domain.Invalid, path: "documents[0]",
		says: "text and chunks",
	},
	{
		name: "three contents", in: doc(`"text":"a","pages":[],"chunks":[]`), kind: domain.Invalid,
		path: "documents[0]", says: "text, pages and chunks",
	},
	{
		name: "duplicate document", in: head + `"documents":[{"id":"d","text":"a"},{"id":"d","text":"b"}]}`,
		kind: domain.Invalid, path: "documents[1].id", says: "documents[0]",
	},
	{
		name: "duplicate chunk", in: doc(`"chunks":[{"id":"c","text":"a"},{"id":"c","text":"b"}]`),
		kind: domain.Invalid, path: "documents[0].chunks[1].id", says: "give each chunk",
	},
	{
		name: "chunk without text", in: doc(`"chunks":[{"id":"c"}]`), kind: domain.Invalid,
		path: "documents[0].chunks[0].text", says: "give the words",
	},
	{
		name: "blank chunk", in: doc(`"chunks":[{"text":" \n"}]`), kind: domain.Invalid,
		path: "documents[0].chunks[0].text", says: "leave the chunk out",
	},
	{
		name: "id a number", in: doc(`"text":"a","uri":7`), kind: domain.Invalid, path: "documents[0].uri",
		says: "double quotes",
	},
	{
		name: "quality a text", in: doc(`"text":"a","source_quality":"good"`), kind: domain.Invalid,
		path: "documents[0].source_quality", says: "give a number",
	},
	{
		name: "quality outside", in: doc(`"text":"a","source_quality":1.5`), kind: domain.Invalid,
		path: "documents[0].source_quality", says: "from 0 (worst) to 1 (best)",
	},
	{
		name: "date", in: doc(`"text":"a","published_at":"01/02/2024"`), kind: domain.Invalid,
		path: "documents[0].published_at", says: "2024-01-31",
	},
	{
		name: "no such day", in: doc(`"text":"a","valid_until":"2024-02-30"`), kind: domain.Invalid,
		path: "documents[0].valid_until", says: "2024-01-31",
	},
	{
		name: "supersedes nobody", in: doc(`"text":"a","supersedes":"x"`), kind: domain.Invalid,
		path: "documents[0].supersedes", says: "add the older document",
	},
	{
		name: "supersedes itself", in: doc(`"text":"a","supersedes":"d"`), kind: domain.Invalid,
		path: "documents[0].supersedes", says: "name the older one",
	},
	{
		name: "document language", in: doc(`"text":"a","lang":"x"`), kind: domain.Invalid,
		path: "documents[0].lang", says: "language tag",
	},
	{
		name: "page 0", in: doc(`"pages":[{"number":0,"text":"a"}]`), kind: domain.Invalid,
		path: "documents[0].pages[0].number", says: "from 1",
	},
	{
		name: "page a half", in: doc(`"pages":[{"number":1.5,"text":"a"}]`), kind: domain.Invalid,
		path: "documents[0].pages[0].number", says: "whole number",
	},
	{
		name: "page number a text", in: chunk(`"page_number":"12"`), kind: domain.Invalid,
		path: "documents[0].chunks[0].page_number", says: "whole number",
	},
	{
		name: "page number below", in: chunk(`"page_number":-1`), kind: domain.Invalid,
		path: "documents[0].chunks[0].page_number", says: "leave it out",
	},
	{
		name: "heading path a text", in: chunk(`"heading_path":"4.2"`), kind: domain.Invalid,
		path: "documents[0].chunks[0].heading_path", says: "give a list",
	},
	{
		name: "heading a number", in: chunk(`"heading_path":["4",4.2]`), kind: domain.Invalid,
		path: "documents[0].chunks[0].heading_path[1]", says: "double quotes",
	},
	{
		name: "start alone", in: chunk(`"start":1`), kind: domain.Invalid, path: "documents[0].chunks[0].end",
		says: "both or neither",
	},
	{
		name: "end alone", in: chunk(`"end":1`), kind: domain.Invalid, path: "documents[0].chunks[0].start",
		says: "both or neither",
	},
	{
		name: "start below 0", in: chunk(`"start":-1,"end":4`), kind: domain.Invalid,
		path: "documents[0].chunks[0].start", says: "code points",
	},
	{
		name: "end before start", in: chunk(`"start":4,"end":4`), kind: domain.Invalid,
		path: "documents[0].chunks[0].end", says: "must be larger",
	},
}
