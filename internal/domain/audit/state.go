package audit

import (
	"encoding/hex"
	"encoding/json"
	"strconv"

	"golang.org/x/mod/sumdb/tlog"
)

// StateFormat is the name of the format of a session's state digest. It is stored in events.
const StateFormat = "sanad.state/v1"

// Content is what an event says of the rows that it made, in its details under ContentKey. It is stored.
type Content struct {
	Format string `json:"format"`
	Rows   string `json:"rows"`  // hex, the root over the leaves that changed with the event; of a review its row's digest
	State  string `json:"state"` // hex, of the session after the change
}

// ContentKey is the name of an event's Content in its details.
const ContentKey = "content"

// ContentOf returns the Content of an event; ok is false if it has none.
func ContentOf(e *Event) (c Content, ok bool) {
	var details struct {
		Content *Content `json:"content"`
	}
	if json.Unmarshal(e.Details, &details) != nil || details.Content == nil {
		return Content{}, false
	}
	return *details.Content, true
}

// Section is one of the trees that a session's state consists of, such as that of its claims.
type Section struct {
	Name string `json:"section"`
	Size int    `json:"size"` // leaves
	Root string `json:"root"` // hex
}

// canonical returns the section as canonical.JSON writes it, which would take most of the time of a state digest.
func (s *Section) canonical() []byte {
	b := appendString([]byte(`{"root":`), s.Root)
	b = appendString(append(b, `,"section":`...), s.Name)
	return append(strconv.AppendInt(append(b, `,"size":`...), int64(s.Size), 10), '}')
}

// StateRoot returns the state digest of a session: the Merkle root over its sections in their fixed order, without
// those that have no leaf. A section that is added later leaves the digests of sessions without it as they are.
func StateRoot(sections []Section) (Hash, error) {
	var nodes []Hash
	for _, s := range sections {
		if s.Size == 0 {
			continue
		}
		nodes = append(nodes, tlog.RecordHash(s.canonical()))
	}
	if len(nodes) == 0 {
		return tlog.TreeHash(0, nil)
	}
	return treeRoot(nodes), nil
}

// Hex writes a hash as events and states hold it.
func Hex(h Hash) string { return hex.EncodeToString(h[:]) }
