// Package everyfield sets, changes and compares every exported field of a value by reflection. Tests use it to prove
// that code which copies a struct field by field (an export, an import, a table, a digest) forgets no field, including
// fields that are added later. Only tests import it.
//
// A path names a field in all elements of its lists at once: "Claims[].Reviews[].Actor", "Extra{}".
package everyfield

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Values lists valid values for types that accept only some, such as enumerations. They are used in turn. None may be
// the zero value.
type Values map[reflect.Type][]any

// Of returns the key and the values of one type, for building Values.
func Of[T any](values ...T) (reflect.Type, []any) {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return reflect.TypeFor[T](), out
}

// Add adds the valid values of one type.
func Add[T any](v Values, values ...T) {
	key, list := Of(values...)
	v[key] = list
}

// elements is how many elements Fill puts into each list and map: two, so that a loop that stops early is noticed.
const elements = 2

// begin is the first time that Fill sets. Later ones follow a minute apart.
var begin = time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)

// Fill sets every exported field below the pointer to a value that is not zero and that, except for booleans and types
// in values, no other field has. Booleans alternate between true and false, so that both occur if a field occurs twice.
// It panics with the path if it cannot fill a type.
func Fill(pointer any, values Values) {
	f := filler{values: values, seen: map[string]int{}}
	f.fill(reflect.ValueOf(pointer).Elem(), "")
}

type filler struct {
	values Values
	n      int            // numbers given so far
	seen   map[string]int // values given so far, by path
}

func (f *filler) fill(v reflect.Value, path string) {
	f.n++
	f.seen[path]++
	turn := f.seen[path] - 1
	if list := f.values[v.Type()]; len(list) > 0 {
		v.Set(reflect.ValueOf(list[turn%len(list)]))
		return
	}
	if isLeaf(v.Type()) {
		f.leaf(v, path, turn)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), path)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), elements, elements))
		for i := range elements {
			f.fill(v.Index(i), path+"[]")
		}
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i), path+"[]")
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range elements {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			f.fill(key, path+"{key}")
			f.fill(value, path+"{}")
			v.SetMapIndex(key, value)
		}
	default: // a struct
		for _, field := range fieldsOf(v) {
			f.fill(field.value, join(path, field.name))
		}
	}
}

func (f *filler) leaf(v reflect.Value, path string, turn int) {
	switch {
	case v.Type() == timeType:
		v.Set(reflect.ValueOf(begin.Add(time.Duration(f.n) * time.Minute)))
	case v.Type() == rawType:
		v.Set(reflect.ValueOf(json.RawMessage(fmt.Sprintf(`{"n":%d}`, f.n))))
	case v.Kind() == reflect.String:
		v.SetString(fmt.Sprintf("%s %d", path, f.n))
	case v.Kind() == reflect.Interface: // a value of a message
		v.Set(reflect.ValueOf(fmt.Sprintf("%s %d", path, f.n)))
	case v.Kind() == reflect.Bool:
		v.SetBool(turn%2 == 0)
	case v.CanInt():
		v.SetInt(int64(f.n))
	case v.CanFloat():
		v.SetFloat(1 / float64(f.n+1)) // a share, as most are
	default:
		panic(fmt.Sprintf("everyfield: %s has the type %s, which is not filled yet", path, v.Type()))
	}
}

var (
	timeType = reflect.TypeFor[time.Time]()
	rawType  = reflect.TypeFor[json.RawMessage]()
)

// isLeaf reports whether a value of the type is set and compared as a whole.
func isLeaf(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Array, reflect.Map:
		return false
	case reflect.Struct:
		return t == timeType
	case reflect.Slice:
		return t == rawType
	default:
		return true
	}
}

type field struct {
	name  string
	value reflect.Value
}

func fieldsOf(v reflect.Value) []field {
	var out []field
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() {
			out = append(out, field{f.Name, v.Field(i)})
		}
	}
	return out
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// Unset lists, sorted, the fields that are zero wherever they occur below v. A test that calls Fill and then corrects
// some values uses it to find what the corrections cleared.
func Unset(v any) []string {
	set := map[string]bool{}
	var walk func(v reflect.Value, path string)
	walk = func(v reflect.Value, path string) {
		if isLeaf(v.Type()) || v.Kind() != reflect.Struct && v.IsZero() {
			set[path] = set[path] || !v.IsZero()
			return
		}
		switch v.Kind() {
		case reflect.Pointer:
			set[path] = true
			walk(v.Elem(), path)
		case reflect.Slice, reflect.Array:
			set[path] = set[path] || v.Len() > 0
			for i := range v.Len() {
				walk(v.Index(i), path+"[]")
			}
		case reflect.Map:
			set[path] = set[path] || v.Len() > 0
			for _, key := range v.MapKeys() {
				walk(v.MapIndex(key), path+"{}")
			}
		default:
			for _, f := range fieldsOf(v) {
				walk(f.value, join(path, f.name))
			}
		}
	}
	walk(reflect.Indirect(reflect.ValueOf(v)), "")
	var out []string
	for path, is := range set {
		if !is {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// Differ lists the fields in which two values of one type differ, sorted, each path once. Times are compared as
// instants, and an empty list or map differs from none.
func Differ(a, b any) []string {
	found := map[string]bool{}
	var walk func(a, b reflect.Value, path string)
	walk = func(a, b reflect.Value, path string) {
		if isLeaf(a.Type()) {
			if !sameLeaf(a, b) {
				found[path] = true
			}
			return
		}
		switch a.Kind() {
		case reflect.Pointer:
			if a.IsNil() != b.IsNil() {
				found[path] = true
			} else if !a.IsNil() {
				walk(a.Elem(), b.Elem(), path)
			}
		case reflect.Slice, reflect.Array:
			if a.Len() != b.Len() || a.Kind() == reflect.Slice && a.IsNil() != b.IsNil() {
				found[path] = true
				return
			}
			for i := range a.Len() {
				walk(a.Index(i), b.Index(i), path+"[]")
			}
		case reflect.Map:
			if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
				found[path] = true
				return
			}
			for _, key := range a.MapKeys() {
				other := b.MapIndex(key)
				if !other.IsValid() {
					found[path] = true
					continue
				}
				walk(a.MapIndex(key), other, path+"{}")
			}
		default:
			left, right := fieldsOf(a), fieldsOf(b)
			for i := range left {
				walk(left[i].value, right[i].value, join(path, left[i].name))
			}
		}
	}
	walk(reflect.Indirect(reflect.ValueOf(a)), reflect.Indirect(reflect.ValueOf(b)), "")
	out := make([]string, 0, len(found))
	for path := range found {
		out = append(out, path)
	}
	slices.Sort(out)
	return out
}

func sameLeaf(a, b reflect.Value) bool {
	if a.Type() == timeType {
		return a.Interface().(time.Time).Equal(b.Interface().(time.Time))
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

// EachChange changes the fields below the pointer one at a time, calls do with the path of the changed field, and
// restores it. A field in a list is changed in each element, one after the other. An enumeration changes to another of
// its values.
func EachChange(pointer any, values Values, do func(path string)) {
	c := changer{values: values, do: do}
	c.walk(reflect.ValueOf(pointer).Elem(), "")
}

type changer struct {
	values Values
	do     func(path string)
}

func (c *changer) walk(v reflect.Value, path string) {
	if list := c.values[v.Type()]; len(list) > 0 || isLeaf(v.Type()) {
		was := reflect.New(v.Type()).Elem()
		was.Set(v)
		change(v, list)
		c.do(path)
		v.Set(was)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			c.walk(v.Elem(), path)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			c.walk(v.Index(i), path+"[]")
		}
	case reflect.Map:
		c.walkMap(v, path)
	default:
		for _, f := range fieldsOf(v) {
			c.walk(f.value, join(path, f.name))
		}
	}
}

// walkMap changes copies of a map's values, as the values themselves cannot be changed in place.
func (c *changer) walkMap(v reflect.Value, path string) {
	for _, key := range v.MapKeys() {
		was := v.MapIndex(key)
		inner := changer{values: c.values}
		changed := reflect.New(was.Type()).Elem()
		changed.Set(was)
		inner.do = func(path string) {
			v.SetMapIndex(key, changed)
			c.do(path)
		}
		inner.walk(changed, path+"{}")
		v.SetMapIndex(key, was)
	}
}

// change sets a leaf to another value, from list if it is not empty.
func change(v reflect.Value, list []any) {
	for _, x := range list {
		if !reflect.DeepEqual(x, v.Interface()) {
			v.Set(reflect.ValueOf(x))
			return
		}
	}
	switch {
	case v.Type() == timeType:
		v.Set(reflect.ValueOf(v.Interface().(time.Time).Add(time.Second)))
	case v.Type() == rawType:
		v.Set(reflect.ValueOf(json.RawMessage(`{"changed":true}`)))
	case v.Kind() == reflect.String:
		v.SetString(v.String() + "x")
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.CanInt():
		v.SetInt(v.Int() + 1)
	case v.CanFloat():
		v.SetFloat(v.Float() / 2)
	case v.Kind() == reflect.Interface: // an argument of a message
		v.Set(reflect.ValueOf(fmt.Sprint(v.Interface()) + "x"))
	default:
		panic(fmt.Sprintf("everyfield: the type %s is not changed yet", v.Type()))
	}
}

// Faults compares lost fields with the reasons why a field may be lost, and returns, sorted, each field that is lost
// without a reason and each reason that no field needs. The path of a reason that ends in "*" covers all fields below
// it, including later ones.
func Faults(lost []string, reasons map[string]string) []string {
	var out []string
	needed := map[string]bool{}
	for _, path := range lost {
		key := path
		for reason := range reasons {
			if group, ok := strings.CutSuffix(reason, "*"); ok && strings.HasPrefix(path, group) {
				key = reason
			}
		}
		if reasons[key] == "" {
			out = append(out, "the field "+path+" is lost: copy it, or list it with the reason")
		}
		needed[key] = true
	}
	for path := range reasons {
		if !needed[path] {
			out = append(out, "the field "+path+" is not lost: take it off the list")
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
