package strictjson

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"

	"sanad/internal/words"
)

// field is what the decoder knows about a struct's field.
type field struct {
	name  string
	index []int
	limit string // the limit tag
	need  string // id of what the message asks for if the field is absent; "" if it may be
	bit   int    // index among the struct's fields
}

// shape lists a struct's fields, including those of embedded structs.
type shape struct {
	byName map[string]*field
	needed []*field
	count  int
}

var shapes sync.Map // reflect.Type → *shape

func shapeFor(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	s := &shape{byName: map[string]*field{}}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || name == "-" {
			continue
		}
		name = cmp.Or(name, f.Name)
		x := &field{name: name, index: f.Index, limit: f.Tag.Get("limit"), need: f.Tag.Get("need"), bit: s.count}
		s.byName[name] = x
		if x.need != "" {
			s.needed = append(s.needed, x)
		}
		s.count++
	}
	shapes.Store(t, s)
	return s
}

// structure reads an object into a struct and checks that its required fields are present.
func (d *decoder) structure(v reflect.Value) error {
	s := shapeFor(v.Type())
	present := make([]bool, s.count)
	base := len(d.path)
	err := d.members(func(key string) error {
		f := s.byName[key]
		if f == nil {
			return d.unknown(key)
		}
		present[f.bit] = d.peek() != 'n'
		return d.value(v.FieldByIndex(f.index), f.limit)
	})
	if err != nil {
		return err
	}
	for _, f := range s.needed {
		if !present[f.bit] {
			d.path = append(d.path[:base], step{key: f.name})
			return d.invalid("json_missing", "Wanted", words.Msg(f.need))
		}
	}
	return nil
}

// unknown reads a field that the target does not have, and skips it, refuses it, or passes it to opt.Unknown.
func (d *decoder) unknown(key string) error {
	if d.opt.Ignore {
		return d.skip()
	}
	if d.opt.Unknown == nil {
		return d.invalid("json_field", "Name", words.Quoted(clipKey(key, true)))
	}
	start := d.pos
	if err := d.skip(); err != nil {
		return err
	}
	path := pathOf(d.path, false)
	d.kept += len(path)
	room := d.pos - start
	if d.opt.UnknownBytes > 0 {
		room = min(room, d.opt.UnknownBytes-d.kept)
	}
	raw, ok := compact(d.src[start:d.pos], room)
	if d.kept += len(raw); !ok {
		return d.fault(TooLarge, nil, "json_unknown", "N", d.opt.UnknownBytes)
	}
	d.opt.Unknown(path, raw)
	return nil
}

// mapping reads an object into a map with string keys.
func (d *decoder) mapping(v reflect.Value, limit string) error {
	v.Set(reflect.MakeMap(v.Type()))
	most := d.limit(limit)
	elem := v.Type().Elem()
	var last struct {
		key   string
		value reflect.Value
	}
	store := func() {
		if last.value.IsValid() {
			v.SetMapIndex(reflect.ValueOf(last.key).Convert(v.Type().Key()), last.value)
		}
	}
	err := d.members(func(key string) error {
		store()
		if most > 0 && v.Len() >= most {
			d.path = d.path[:len(d.path)-1]
			return d.fault(TooLarge, nil, "json_entries", "N", most)
		}
		last.key, last.value = key, reflect.New(elem).Elem()
		return d.value(last.value, "")
	})
	store()
	return err
}

// members reads an object and calls read to read the value of each key.
func (d *decoder) members(read func(key string) error) error {
	if err := d.open(); err != nil {
		return err
	}
	var seen keySet
	for n := 0; ; n++ {
		if d.peek() == '}' {
			if n > 0 {
				return d.unexpected("noun_key")
			}
			break
		}
		if d.peek() != '"' {
			return d.unexpected("noun_key")
		}
		if n == MaxMembers {
			return d.fault(TooLarge, nil, "json_entries", "N", MaxMembers)
		}
		key, err := d.text()
		if err != nil {
			return err
		}
		d.path = append(d.path, step{key: key})
		if !seen.add(key) {
			return d.malformed("json_twice", "Name", words.Quoted(clipKey(key, true)))
		}
		if err := d.expect(':', "noun_colon"); err != nil {
			return err
		}
		if err := read(key); err != nil {
			return err
		}
		d.path = d.path[:len(d.path)-1]
		if d.peek() == '}' {
			break
		}
		if err := d.expect(',', "noun_brace"); err != nil {
			return err
		}
	}
	d.pos++
	d.depth--
	return nil
}

// list reads an array into a slice.
func (d *decoder) list(v reflect.Value, limit string) error {
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	return d.items(cmp.Or(d.limit(limit), MaxItems), func() error {
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		item := v.Index(v.Len() - 1)
		if d.peek() == 'n' && !nullable(item) {
			return d.invalid("json_null")
		}
		return d.value(item, "")
	})
}

// items reads an array of at most that many items, 0 for any number, and calls read to read each item.
func (d *decoder) items(most int, read func() error) error {
	if err := d.open(); err != nil {
		return err
	}
	for i := 0; ; i++ {
		if d.peek() == ']' {
			if i > 0 {
				return d.unexpected("noun_value")
			}
			break
		}
		if most > 0 && i >= most {
			return d.fault(TooLarge, nil, "json_items", "N", most)
		}
		d.path = append(d.path, step{index: i, array: true})
		if err := read(); err != nil {
			return err
		}
		d.path = d.path[:len(d.path)-1]
		if d.peek() == ']' {
			break
		}
		if err := d.expect(',', "noun_bracket"); err != nil {
			return err
		}
	}
	d.pos++
	d.depth--
	return nil
}

// nullable reports whether null is a value of v's type.
func nullable(v reflect.Value) bool {
	return v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface || v.Type() == rawType || v.Type() == farType
}

// keySet collects the keys of one object; without a map as long as there are few.
type keySet struct {
	few  []string
	many map[string]bool
}

// add adds key and reports whether it is new.
func (s *keySet) add(key string) bool {
	if s.many != nil {
		if s.many[key] {
			return false
		}
		s.many[key] = true
		return true
	}
	if slices.Contains(s.few, key) {
		return false
	}
	if s.few = append(s.few, key); len(s.few) > 24 {
		s.many = make(map[string]bool, 2*len(s.few))
		for _, k := range s.few {
			s.many[k] = true
		}
	}
	return true
}
