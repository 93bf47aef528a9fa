package bundle

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Request is the input of a build (rule B-15).
type Request struct {
	JobInput JobInput `json:"job_input"`
	Refs     Refs     `json:"evidence_refs"`
	Policy   *Policy  `json:"policy"` // nil for the default
}

// JobInput is the job that the evidence is for. Callers may send other fields in it, which are ignored.
type JobInput struct {
	ExtraParams struct {
		Evidence List[Inline] `json:"evidence"`
	} `json:"extra_params"`
}

// Inline is evidence given in the job itself.
type Inline struct {
	Text      string `json:"text"`
	SourceURI string `json:"source_uri"`

	kept *kept // set when a bundle is built again from its record
}

// Refs refers to evidence by kind.
type Refs struct {
	LakeText     List[string]   `json:"lake_text"`
	LakeHTTP     List[string]   `json:"lake_http"`
	SQLQueryDefs List[QueryDef] `json:"sql_query_defs"`
	SQLResults   List[SQLRef]   `json:"sql_results"`
	Documents    List[Document] `json:"documents"`
	Transcripts  List[Document] `json:"transcripts"`
	Unknown      []string       `json:"-"` // unknown kinds of reference, in order
}

// SQLRef refers to a stored SQL result. With RowsPerItem it becomes several items of that many rows each, with the row
// range in their ids, and no row is left out.
type SQLRef struct {
	LakeURI     string `json:"lake_uri"`
	QueryKey    string `json:"query_key"`
	RowsPerItem int    `json:"rows_per_item"`
}

// QueryDef is the text of a query.
type QueryDef struct {
	QueryKey string `json:"query_key"`
	SQL      string `json:"sql"`

	kept *kept // see Inline
}

// Document is a document or transcript, its text given or in the lake.
type Document struct {
	DocumentID string `json:"document_id"`
	Text       string `json:"text"`
	LakeURI    string `json:"lake_uri"`

	kept *kept // see Inline
}

// List is read from a JSON list whose elements may be damaged. A damaged element is recorded as a failed source and
// keeps its place, so that those after it keep their ids.
type List[T any] struct {
	Items []T
	Bad   []int // indexes of elements that could not be read
	Not   bool  // the JSON was not a list
}

// UnmarshalJSON never fails on valid JSON.
func (l *List[T]) UnmarshalJSON(data []byte) error {
	*l = List[T]{}
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		l.Not = true
		return nil //nolint:nilerr // Not says it
	}
	l.Items = make([]T, len(raw))
	for i, r := range raw {
		if err := json.Unmarshal(r, &l.Items[i]); err != nil || bytes.Equal(r, []byte("null")) {
			l.Bad = append(l.Bad, i)
		}
	}
	return nil
}

// MarshalJSON writes the elements.
func (l List[T]) MarshalJSON() ([]byte, error) { return json.Marshal(l.Items) }

// UnmarshalJSON reads the references and collects the names of unknown kinds.
func (r *Refs) UnmarshalJSON(data []byte) error {
	type plain Refs
	var read plain
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	for name := range fields {
		if !slices.Contains(refNames, name) {
			read.Unknown = append(read.Unknown, name)
		}
	}
	slices.Sort(read.Unknown)
	*r = Refs(read)
	return nil
}

var refNames = []string{"lake_text", "lake_http", "sql_query_defs", "sql_results", "documents", "transcripts"}
