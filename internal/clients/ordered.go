package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// object is a JSON object whose members keep their order, as the description has them.
type object struct {
	names  []string
	values map[string]any
}

// get returns the member at a path of keys, nil if it is absent.
func (o *object) get(path ...string) any {
	var v any = o
	for _, name := range path {
		at, is := v.(*object)
		if !is || at == nil {
			return nil
		}
		v = at.values[name]
	}
	return v
}

// text returns a member's string, "" if it is absent or no string.
func (o *object) text(path ...string) string {
	s, _ := o.get(path...).(string)
	return s
}

// object returns a member's object, nil if it is absent or no object.
func (o *object) object(path ...string) *object {
	v, _ := o.get(path...).(*object)
	return v
}

// list returns a member that is a list, nil if it is none.
func (o *object) list(path ...string) []any {
	v, _ := o.get(path...).([]any)
	return v
}

// ordered decodes JSON: objects as *object, all else as encoding/json does.
func ordered(data []byte) (*object, error) {
	v, err := value(json.NewDecoder(bytes.NewReader(data)))
	if err != nil {
		return nil, err
	}
	o, is := v.(*object)
	if !is {
		return nil, fmt.Errorf("the description is no object but %T", v)
	}
	return o, nil
}

func value(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		o := &object{values: map[string]any{}}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			o.names = append(o.names, name.(string))
			if o.values[name.(string)], err = value(d); err != nil {
				return nil, err
			}
		}
		_, err = d.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := value(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	}
	return token, nil
}
