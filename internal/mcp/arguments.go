package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// plainly has the arguments of a tool checked before the SDK checks them against its schema, whose faults name places
// in the schema and types of Go.
func plainly[In any](tool string) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
			if call, is := r.(*sdk.CallToolRequest); is && call.Params != nil && call.Params.Name == tool {
				if says := unfit(reflect.TypeFor[In](), call.Params.Arguments); says != "" {
					res := &sdk.CallToolResult{}
					res.SetError(errors.New(says))
					return res, nil
				}
			}
			return next(ctx, method, r)
		}
	}
}

// unfit says which argument does not fit a tool's input and what to give, "" if all fit.
func unfit(input reflect.Type, arguments json.RawMessage) string {
	var v any
	if len(arguments) > 0 && json.Unmarshal(arguments, &v) != nil {
		return "" // the message would not have been read
	}
	if v == nil {
		v = map[string]any{}
	}
	return misfit(input, v, "arguments")
}

// misfit says what does not fit a type at a place.
func misfit(t reflect.Type, v any, at string) string {
	fits, want := true, ""
	switch t.Kind() {
	case reflect.Pointer:
		if v == nil {
			return ""
		}
		return misfit(t.Elem(), v, at)
	case reflect.String:
		_, fits = v.(string)
		want = "a text"
	case reflect.Bool:
		_, fits = v.(bool)
		want = "true or false"
	case reflect.Int, reflect.Int64:
		n, is := v.(float64)
		fits, want = is && n == math.Trunc(n), "a whole number"
	case reflect.Float64:
		_, fits = v.(float64)
		want = "a number"
	case reflect.Map:
		object, is := v.(map[string]any)
		if shape := shapes[t]; is && shape != nil {
			return misfitOfFields(shape, object, at+".")
		}
		fits, want = is, "an object"
	case reflect.Slice:
		return misfitOfList(t, v, at)
	case reflect.Struct:
		return misfitOfObject(t, v, at)
	default: // any value
	}
	if !fits {
		return fmt.Sprintf("%s: give %s, not %s.", at, want, kindOf(v))
	}
	return ""
}

func misfitOfList(t reflect.Type, v any, at string) string {
	list, is := v.([]any)
	switch {
	case t.Elem().Kind() == reflect.Uint8 || v == nil: // JSON as it is, or nothing
		return ""
	case !is:
		return fmt.Sprintf("%s: give a list, not %s.", at, kindOf(v))
	}
	for i := range list {
		if says := misfit(t.Elem(), list[i], fmt.Sprintf("%s[%d]", at, i)); says != "" {
			return says
		}
	}
	return ""
}

func misfitOfObject(t reflect.Type, v any, at string) string {
	object, is := v.(map[string]any)
	if !is {
		return fmt.Sprintf("%s: give an object, not %s.", at, kindOf(v))
	}
	within := at + "."
	if at == "arguments" {
		within = "" // callers know them by their names
	}
	var known []string
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" || name == "-" {
			continue
		}
		known = append(known, name)
		switch value, given := object[name]; {
		case given:
			if says := misfit(f.Type, value, within+name); says != "" {
				return says
			}
		case !strings.Contains(options, "omit"):
			return fmt.Sprintf("%s%s is missing; give it.", within, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(known, name) {
			return fmt.Sprintf("%s%s is not known here; take it out. There are: %s.", within, cut(name, maxName),
				strings.Join(known, ", "))
		}
	}
	return ""
}

// misfitOfFields says what does not fit in those fields of an object that its shape has.
func misfitOfFields(shape reflect.Type, object map[string]any, within string) string {
	for _, f := range reflect.VisibleFields(shape) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		value := object[name]
		if value == nil { // missing, or null, which the API takes for it
			continue
		}
		if says := misfitOfField(f.Type, value, within+name); says != "" {
			return says
		}
	}
	return ""
}

// misfitOfField is misfit for what a field of a shape takes, whose objects are open too.
func misfitOfField(t reflect.Type, v any, at string) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	object, isObject := v.(map[string]any)
	list, isList := v.([]any)
	switch {
	case t.Kind() == reflect.Struct && isObject:
		return misfitOfFields(t, object, at+".")
	case t.Kind() == reflect.Slice && isList:
		for i := range list {
			if says := misfitOfField(t.Elem(), list[i], fmt.Sprintf("%s[%d]", at, i)); says != "" {
				return says
			}
		}
		return ""
	}
	return misfit(t, v, at)
}

// kindOf names what a value of JSON is.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "a text"
	case bool:
		return "true or false"
	case float64:
		return "a number"
	case []any:
		return "a list"
	}
	return "an object"
}
