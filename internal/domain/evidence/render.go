package evidence

import (
	"maps"
	"strings"
)

// PromptBlock writes the map for a prompt. The header is the same whether the model answers with pointer lines or in
// JSON (rule E-6): small models invent content-addressed ids, but not pointers.
func PromptBlock(objs []Object) string {
	blocks := make([]string, len(objs))
	for i, o := range objs {
		blocks[i] = "=== " + o.PointerID + " (" + o.Label() + " | " + o.SourceRole + ") ===\n" + o.Span
	}
	return strings.Join(blocks, "\n\n")
}

// Label returns a name of the source for a reader: its title, else the last part of its URI, else "untitled".
func (o Object) Label() string {
	if o.Title != nil && *o.Title != "" {
		return *o.Title
	}
	if tail := o.DocumentURI[strings.LastIndexByte(o.DocumentURI, '/')+1:]; tail != "" {
		return tail
	}
	return "untitled"
}

// ByEvidence returns the objects by their content-addressed id. Of two with one id, the first stands: their chunk roots
// and offsets are the same.
func ByEvidence(objs []Object) map[string]*Object {
	index := make(map[string]*Object, len(objs))
	for i := range objs {
		if id := objs[i].EvidenceID; index[id] == nil {
			index[id] = &objs[i]
		}
	}
	return index
}

// ByID returns the objects by both of their ids (rule E-1). A pointer stands before an evidence id that reads the same.
func ByID(objs []Object) map[string]*Object {
	index := ByEvidence(objs)
	maps.Copy(index, ByPointer(objs))
	return index
}

// ByPointer returns a map's objects by pointer id; they stay in objs.
func ByPointer(objs []Object) map[string]*Object {
	index := make(map[string]*Object, len(objs))
	for i := range objs {
		index[objs[i].PointerID] = &objs[i]
	}
	return index
}
