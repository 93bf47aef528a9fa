package openapi

import (
	"encoding"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
)

// Schemas makes schemas of Go types as encoding/json writes them, and collects those that have a name of their own. A field
// without omitempty is always there; a pointer there may be null; nothing else is. That holds for what is sent. Of what is
// read a field is required where its tag need says so, and there may be no other fields.
type Schemas struct {
	Words  map[reflect.Type][]string // the values of a named type of text
	Prefix map[string]string         // what is put before the names of a package's types, by its path
	Names  map[reflect.Type]string   // names that are not made of the type's
	Needed map[string][]string       // what is required of a schema that is read, beside the tags
	Open   []string                  // schemas of what is read that pass over fields they do not have
	Notes  map[string]string         // what there is to say of a field, by "Schema.field"

	named Ordered[*Schema]
	types map[string]reflect.Type
	noted map[string]bool
}

// Sent is the schema of a value that is sent.
func (s *Schemas) Sent(v any) *Schema { return s.of(reflect.TypeOf(v), false) }

// Read is the schema of a value that is read.
func (s *Schemas) Read(v any) *Schema { return s.of(reflect.TypeOf(v), true) }

// Add names a schema and gives the reference to it.
func (s *Schemas) Add(name string, schema *Schema) *Schema {
	s.named.Set(name, schema)
	return ref(name)
}

// Named gives all schemas that have a name, by their names. It panics where a note is about no field.
func (s *Schemas) Named() Ordered[*Schema] {
	for about := range s.Notes {
		if !s.noted[about] {
			panic("openapi: there is no field " + about)
		}
	}
	out := slices.Clone(s.named)
	slices.SortFunc(out, func(a, b Named[*Schema]) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func ref(name string) *Schema { return &Schema{Ref: "#/components/schemas/" + name} }

var (
	rawType  = reflect.TypeFor[json.RawMessage]()
	textType = reflect.TypeFor[encoding.TextMarshaler]()
)

// of makes the schema of a type.
func (s *Schemas) of(t reflect.Type, read bool) *Schema {
	words, isWord := s.Words[t]
	switch {
	case t == rawType || t.Kind() == reflect.Interface:
		return &Schema{}
	case isWord:
		return Choice(words, "")
	case t.Implements(textType):
		return String("")
	}
	switch t.Kind() {
	case reflect.String:
		return String("")
	case reflect.Bool:
		return Boolean("")
	case reflect.Int, reflect.Int32, reflect.Int64:
		return &Schema{Type: Types{"integer"}}
	case reflect.Float64:
		return &Schema{Type: Types{"number"}, Format: "double"}
	case reflect.Slice, reflect.Array:
		return List(s.of(t.Elem(), read))
	case reflect.Map:
		return &Schema{Type: Types{"object"}, Additional: s.of(t.Elem(), read)}
	case reflect.Pointer:
		return OrNull(s.of(t.Elem(), read))
	case reflect.Struct:
		return s.structure(t, read)
	}
	panic(fmt.Sprintf("openapi: no schema is known for %s", t))
}

// structure makes the schema of a struct once, under its name; one that has no name stands where it is used.
func (s *Schemas) structure(t reflect.Type, read bool) *Schema {
	name := s.nameOf(t, read)
	if name == "" {
		return s.object(t, "", read)
	}
	if was, known := s.types[name]; known {
		if was != t {
			panic(fmt.Sprintf("openapi: %s and %s have one name, %s", was, t, name))
		}
		return ref(name)
	}
	if s.types == nil {
		s.types = map[string]reflect.Type{}
	}
	s.types[name] = t // before its fields: a type may hold itself
	return s.Add(name, s.object(t, name, read))
}

// nameOf makes a schema's name of a type's: without what the packages add to tell their own types apart.
func (s *Schemas) nameOf(t reflect.Type, read bool) string {
	name := t.Name()
	if given := s.Names[t]; given != "" || name == "" {
		return given
	}
	name = strings.TrimPrefix(name, "api")
	for _, end := range []string{"View", "JSON", "Wire"} {
		name = strings.TrimSuffix(name, end)
	}
	name = strings.ToUpper(name[:1]) + name[1:]
	if before := s.Prefix[path.Base(t.PkgPath())]; !strings.HasPrefix(name, before) {
		name = before + name
	}
	if read && !strings.HasSuffix(name, "Input") {
		name += "Input"
	}
	return name
}

func (s *Schemas) object(t reflect.Type, name string, read bool) *Schema {
	out := &Schema{Type: Types{"object"}}
	if read && !slices.Contains(s.Open, name) {
		out.Additional = false
	}
	s.fields(out, t, name, read)
	if read {
		out.Required = append(out.Required, s.Needed[name]...)
	}
	return out
}

// fields adds a struct's fields, those of embedded structs in their place.
func (s *Schemas) fields(out *Schema, t reflect.Type, name string, read bool) {
	for f := range t.Fields() {
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && tag == "" {
			s.embedded(out, f, name, read)
			continue
		}
		if !f.IsExported() || tag == "-" || tag == "" {
			continue
		}
		mayLack := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
		of, need := f.Type, f.Tag.Get("need")
		if mayLack && of.Kind() == reflect.Pointer {
			of = of.Elem() // nil is not written
		}
		out.Properties.Set(tag, s.noteOn(name+"."+tag, need, timed(tag, s.of(of, read))))
		if read && need != "" || !read && !mayLack {
			out.Required = append(out.Required, tag)
		}
	}
}

// embedded adds the fields of an embedded struct; of an embedded pointer none need be there.
func (s *Schemas) embedded(out *Schema, f reflect.StructField, name string, read bool) {
	if f.Type.Kind() != reflect.Pointer {
		s.fields(out, f.Type, name, read)
		return
	}
	required := slices.Clone(out.Required)
	s.fields(out, f.Type.Elem(), name, read)
	out.Required = required
}

// noteOn adds what there is to say about a field.
func (s *Schemas) noteOn(about, need string, schema *Schema) *Schema {
	note, noted := s.Notes[about]
	if noted {
		if s.noted == nil {
			s.noted = map[string]bool{}
		}
		s.noted[about] = true
	} else if note = need; note == "" {
		return schema
	}
	out := *schema
	out.Description = note
	return &out
}

// timed marks a text as an instant by the name of its field. When a document was published is known to the day, or less.
func timed(field string, schema *Schema) *Schema {
	if !strings.HasSuffix(field, "_at") || field == "published_at" || len(schema.Type) == 0 || schema.Type[0] != "string" {
		return schema
	}
	out := *schema
	out.Format = "date-time"
	return &out
}
