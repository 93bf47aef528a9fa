package openapi

import (
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"sanad/internal/words"
)

// Schemas derives schemas from Go types as encoding/json writes them, and collects the named ones. In what is sent, a
// field without omitempty is always present, and only a pointer may be null. In what is read, a field is required if
// it has a tag "need", the id of the message that describes it, and unknown fields are refused.
type Schemas struct {
	Words  map[reflect.Type][]string // the values of a named string type
	Prefix map[string]string         // prefix of the names of a package's types, by package path
	Names  map[reflect.Type]string   // schema names that differ from the type's name
	Needed map[string][]string       // required fields of a schema that is read, besides the tags
	Open   []string                  // schemas of what is read that ignore unknown fields
	Notes  map[string]string         // description of a field, by "Schema.field"; those of absent schemas count for nothing

	named Ordered[*Schema]
	types map[string]reflect.Type
}

// Sent returns the schema of a value that is sent.
func (s *Schemas) Sent(v any) *Schema { return s.of(reflect.TypeOf(v), false) }

// Read returns the schema of a value that is read.
func (s *Schemas) Read(v any) *Schema { return s.of(reflect.TypeOf(v), true) }

// Add names a schema and returns a reference to it.
func (s *Schemas) Add(name string, schema *Schema) *Schema {
	s.named.Set(name, schema)
	return ref(name)
}

// Named returns all named schemas, sorted by name.
func (s *Schemas) Named() Ordered[*Schema] {
	out := slices.Clone(s.named)
	slices.SortFunc(out, func(a, b Named[*Schema]) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func ref(name string) *Schema { return &Schema{Ref: "#/components/schemas/" + name} }

var (
	rawType  = reflect.TypeFor[json.RawMessage]()
	textType = reflect.TypeFor[encoding.TextMarshaler]()
)

// of returns the schema of a type.
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

// structure builds the schema of a struct once, under its name. A struct without a name is inlined where it is used.
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
	s.types[name] = t // before its fields, because a type may contain itself
	return s.Add(name, s.object(t, name, read))
}

// nameOf returns a schema's name: the type's name without what packages add to distinguish their own types.
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
	s.fields(out, t, name, read, nil)
	if read {
		out.Required = append(out.Required, s.Needed[name]...)
	}
	return out
}

// fields adds a struct's fields, without those that are hidden; those of embedded structs are inlined.
func (s *Schemas) fields(out *Schema, t reflect.Type, name string, read bool, hidden []string) {
	for f := range t.Fields() {
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && tag == "" {
			s.embedded(out, f, name, read, append(tagsOf(t), hidden...))
			continue
		}
		if !f.IsExported() || tag == "-" || tag == "" || slices.Contains(hidden, tag) {
			continue
		}
		mayLack := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
		of, need := f.Type, f.Tag.Get("need")
		if mayLack && of.Kind() == reflect.Pointer {
			of = of.Elem() // nil is omitted
		}
		out.Properties.Set(tag, s.noteOn(name+"."+tag, words.In("en").Text(need), timed(tag, s.of(of, read))))
		if read && need != "" || !read && !mayLack {
			out.Required = append(out.Required, tag)
		}
	}
}

// tagsOf returns the names of a struct's own fields, which hide those of embedded structs.
func tagsOf(t reflect.Type) (out []string) {
	for f := range t.Fields() {
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != "" {
			out = append(out, tag)
		}
	}
	return out
}

// embedded adds the fields of an embedded struct. Those of an embedded pointer are optional.
func (s *Schemas) embedded(out *Schema, f reflect.StructField, name string, read bool, hidden []string) {
	if f.Type.Kind() != reflect.Pointer {
		s.fields(out, f.Type, name, read, hidden)
		return
	}
	required := slices.Clone(out.Required)
	s.fields(out, f.Type.Elem(), name, read, hidden)
	out.Required = required
}

// noteOn attaches the description of a field.
func (s *Schemas) noteOn(about, need string, schema *Schema) *Schema {
	note := cmp.Or(s.Notes[about], need)
	if note == "" {
		return schema
	}
	out := *schema
	out.Description = note
	return &out
}

// timed marks a string as a date-time by the field's name. A publication date may be known only to the day, or less,
// and a draft's source may lack the time of its retrieval.
func timed(field string, schema *Schema) *Schema {
	if !strings.HasSuffix(field, "_at") || field == "published_at" || field == "retrieved_at" || len(schema.Type) == 0 ||
		schema.Type[0] != "string" {
		return schema
	}
	out := *schema
	out.Format = "date-time"
	return &out
}
