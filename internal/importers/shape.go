package importers

import "sanad/internal/strictjson"

// fieldSet is the shape of an input: the paths of its fields without indexes ("content[].citations[].type"), and also
// path=value for fields that name a kind. The items of a list at the top count as the input itself.
type fieldSet map[string]bool

const (
	shapeDepth = 9    // maximum depth of recorded fields
	shapeItems = 200  // maximum number of items read of a list
	shapeCount = 5000 // maximum number of fields
	maxKind    = 60   // maximum bytes of a value that names a kind
)

// kinds are the fields whose values distinguish formats.
var kinds = map[string]bool{"type": true, "object": true, "role": true, "_type": true, "block_type": true, "kind": true}

// fieldsOf returns the fields of an input's rows, which are known to be well-formed.
func fieldsOf(rows []row) fieldSet {
	out := fieldSet{}
	for _, r := range rows[:min(len(rows), shapeItems)] {
		r.fields(out)
	}
	return out
}

// fields records the fields of a row.
func (r row) fields(out fieldSet) {
	_ = out.note(strictjson.NewLooseCursor(r.src, 0), "", 0) // the whole was parsed before
}

// has reports whether any of the fields is present.
func (f fieldSet) has(any ...string) bool {
	for _, path := range any {
		if f[path] {
			return true
		}
	}
	return false
}

// note reads the value at c and records its fields.
func (f fieldSet) note(c *strictjson.Cursor, path string, depth int) error {
	first := c.Peek()
	if depth > shapeDepth || len(f) > shapeCount || first != '{' && first != '[' {
		return c.Skip()
	}
	if first == '[' {
		return c.Items(func(i int) error {
			if i >= shapeItems {
				return nil
			}
			return f.note(c, path+"[]", depth+1)
		})
	}
	return c.Members(func(key string) error {
		field := key
		if path != "" {
			field = path + "." + key
		}
		f[field] = true
		if !kinds[key] || c.Peek() != '"' {
			return f.note(c, field, depth+1)
		}
		word, err := c.Text()
		if err == nil && len(word) <= maxKind {
			f[field+"="+word] = true
		}
		return err
	})
}
