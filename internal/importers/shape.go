package importers

import (
	"reflect"
)

// fieldSet is what an input looks like: the paths of its fields with indexes left out ("content[].citations[].type"), and
// for fields that name a kind also path=value. A list at the top is as good as its items.
type fieldSet map[string]bool

const (
	shapeDepth = 9    // how deep fields are noted
	shapeItems = 200  // items of a list that are looked at
	shapeCount = 5000 // fields in all
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
	d := &decoder{src: r.src}
	_ = d.note(out, "", 0) // the whole was read before
}

// has tells whether one of the fields is there.
func (f fieldSet) has(any ...string) bool {
	for _, path := range any {
		if f[path] {
			return true
		}
	}
	return false
}

// note reads the value that stands here and notes its fields.
func (d *decoder) note(out fieldSet, path string, depth int) error {
	c := d.peek()
	if depth > shapeDepth || len(out) > shapeCount || c != '{' && c != '[' {
		return d.value(reflect.Value{}, "")
	}
	if c == '[' {
		return d.noteItems(out, path+"[]", depth)
	}
	return d.members(func(key string) (reflect.Value, string, error) {
		field := key
		if path != "" {
			field = path + "." + key
		}
		start, level := d.pos, d.depth
		out[field] = true
		if kinds[key] && d.peek() == '"' {
			if word, err := d.text(); err == nil && len(word) <= maxKey {
				out[field+"="+word] = true
			}
		} else if err := d.note(out, field, depth+1); err != nil {
			return reflect.Value{}, "", err
		}
		d.pos, d.depth = start, level // read again, and dropped, by members
		return reflect.Value{}, "", nil
	})
}

func (d *decoder) noteItems(out fieldSet, path string, depth int) error {
	if err := d.open(); err != nil {
		return err
	}
	for i := 0; d.peek() != ']'; i++ {
		if i > 0 {
			d.pos++ // the comma
		}
		err := error(nil)
		if i < shapeItems {
			err = d.note(out, path, depth+1)
		} else {
			err = d.value(reflect.Value{}, "")
		}
		if err != nil {
			return err
		}
	}
	d.pos++
	d.depth--
	return nil
}
