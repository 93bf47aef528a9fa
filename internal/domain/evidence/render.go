package evidence

import "strings"

// PromptBlock writes the map for a model that answers with pointer lines (rule E-6).
func PromptBlock(objs []Object) string {
	blocks := make([]string, len(objs))
	for i, o := range objs {
		blocks[i] = "=== " + o.PointerID + " (" + o.Label() + " | " + o.SourceRole + ") ===\n" + o.Span
	}
	return strings.Join(blocks, "\n\n")
}

// JSONBlock writes the map for a model that answers in JSON. Rule E-6 gives it the same header on purpose: small models
// invent content-addressed ids, but not pointers.
func JSONBlock(objs []Object) string { return PromptBlock(objs) }

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

// ByPointer returns a map's objects by pointer id.
func ByPointer(objs []Object) map[string]Object {
	index := make(map[string]Object, len(objs))
	for _, o := range objs {
		index[o.PointerID] = o
	}
	return index
}

// ByEvidence returns a map's objects by evidence id.
func ByEvidence(objs []Object) map[string]Object {
	index := make(map[string]Object, len(objs))
	for _, o := range objs {
		index[o.EvidenceID] = o
	}
	return index
}
