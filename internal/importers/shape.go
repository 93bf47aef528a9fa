package importers

import "sanad/internal/strictjson"

// fieldSet is what an input looks like: the paths of its fields with indexes left out ("content[].citations[].type"),
// and for fields that name a kind also path=value. A list at the top is as good as its items.
type fieldSet map[string]bool

const (
	shapeDepth = 9    // how deep fields are noted
	shapeItems = 200  // items of a list that are looked at
	shapeCount = 5000 // fields in all
	maxKind    = 60   // bytes of a value that names a kind
)

// kinds are the fields whose values tell formats apart.
var kinds = map[string]bool{"type": true, "object": true, "role": true, "_type": true, "block_type": true, "kind": true}

// fieldsOf looks at the rows of an input, which are known to be well-formed.
func fieldsOf(rows []row) fieldSet {
	out := fieldSet{}
	for _, r := range rows[:min(len(rows), shapeItems)] {
		r.fields(out)
	}
	return out
}

// fields notes the fields of a row.
func (r row) fields(out fieldSet) {
	_ = out.note(strictjson.NewCursor(r.src, 0), "", 0) // the whole was read before
}

// has reports whether one of the fields is there.
func (f fieldSet) has(any ...string) bool {
	for _, path := range any {
		if f[path] {
			return true
		}
	}
	return false
}

// note reads the value that stands at c and notes its fields.
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
