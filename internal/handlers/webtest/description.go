package webtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"sanad/internal/handlers/web"
)

// description is openapi.json as a client reads it, but stricter: an answer must not have fields that are not
// described.
type description struct {
	Doc        map[string]any
	Operations []describedCall
	compiler   *jsonschema.Compiler
	mu         sync.Mutex
	schemas    map[string]*jsonschema.Schema
}

// describedCall is one operation with a pattern that matches its addresses.
type describedCall struct {
	Method, Path, ID string
	pattern          *regexp.Regexp
	Operation        map[string]any
}

// Described is the description of the endpoints given, read once. Server.Serve checks every answer of the API in every
// test against it.
var Described = sync.OnceValue(func() *description {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(web.Describe(given(&web.Server{}, web.Options{}))))
	if err != nil {
		panic(err)
	}
	d := &description{
		Doc: v.(map[string]any), compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{},
	}
	d.compiler.AssertFormat()
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	closeSchemas(d.Doc, true)
	if err := d.compiler.AddResource("mem://openapi.json", d.Doc); err != nil {
		panic(err)
	}
	for path, methods := range d.Doc["paths"].(map[string]any) {
		quoted := strings.ReplaceAll(regexp.QuoteMeta(path), `\{path\}`, ".+") // may contain slashes
		pattern := regexp.MustCompile("^" + regexp.MustCompile(`\\\{[a-z]+\\\}`).ReplaceAllString(quoted, `[^/]+`) +
			"$")
		for method, o := range methods.(map[string]any) {
			operation := o.(map[string]any)
			d.Operations = append(d.Operations, describedCall{
				Method: strings.ToUpper(method), Path: path, ID: operation["operationId"].(string),
				pattern: pattern, Operation: operation,
			})
		}
	}
	return d
})

// closeSchemas forbids undescribed fields in every object of an answer. Schemas of requests state this themselves.
func closeSchemas(v any, answer bool) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			closeSchemas(x, answer)
		}
	case map[string]any:
		if _, is := v["properties"].(map[string]any); is && answer && v["additionalProperties"] == nil {
			v["additionalProperties"] = false
		}
		for name, x := range v {
			closeSchemas(x, answer && name != "requestBody" && !strings.HasSuffix(name, "Input"))
		}
	}
}

// Find returns the operation that a request calls, nil if none.
func (d *description) Find(r *http.Request) *describedCall {
	for i, o := range d.Operations {
		if o.Method == r.Method && o.pattern.MatchString(r.URL.EscapedPath()) {
			return &d.Operations[i]
		}
	}
	return nil
}

// schema compiles the schema at a JSON pointer.
func (d *description) schema(pointer ...string) (*jsonschema.Schema, error) {
	at := "mem://openapi.json#"
	for _, p := range pointer {
		at += "/" + strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(p)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.schemas[at]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile(at)
	d.schemas[at] = s
	return s, err
}

// At returns the member at a path of the document, nil if none.
func (d *description) At(v any, path ...string) any {
	for _, name := range path {
		m, _ := v.(map[string]any)
		if v = m[name]; v == nil {
			return nil
		}
		if m, is := v.(map[string]any); is {
			if ref, is := m["$ref"].(string); is {
				v = d.At(d.Doc, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
			}
		}
	}
	return v
}

// Fault returns how an answer differs from the description; nil if it does not, or if the request calls no operation.
func (d *description) Fault(r *http.Request, sent []byte, w *httptest.ResponseRecorder) error {
	o := d.Find(r)
	if o == nil {
		return nil
	}
	status := fmt.Sprint(w.Code)
	response := d.At(o.Operation, "responses", status)
	if response == nil {
		return fmt.Errorf("%s does not say that it answers %s", o.ID, status)
	}
	for _, h := range []string{"ETag", "Location", "Link", "Retry-After", "Content-Disposition", "Idempotent-Replayed",
		"WWW-Authenticate"} {
		known := d.At(response, "headers", h) != nil
		sent := w.Header().Get(h) != ""
		mustBe := known && h != "Link" && h != "Idempotent-Replayed" && (h != "WWW-Authenticate" || status == "401")
		if sent && !known || mustBe && !sent {
			return fmt.Errorf("%s %s: the header %s", o.ID, status, h)
		}
	}
	if err := d.checkBody(o, status, response, w); err != nil {
		return fmt.Errorf("%s %s: %w", o.ID, status, err)
	}
	if w.Code < 300 && len(sent) > 0 && o.ID != "packSources" { // which takes any JSON
		if err := d.CheckSent(o, r, sent); err != nil {
			return fmt.Errorf("%s takes what its description refuses: %w", o.ID, err)
		}
	}
	return nil
}

// anyBytes is the media type of bodies without a schema.
const anyBytes = "application/octet-stream"

func (d *description) checkBody(o *describedCall, status string, response any, w *httptest.ResponseRecorder) error {
	content, _ := d.At(response, "content").(map[string]any)
	body := w.Body.Bytes()
	if content == nil || len(body) == 0 {
		if content != nil || len(body) > 0 {
			return fmt.Errorf("a body of %d bytes, and content %v", len(body), content)
		}
		return nil
	}
	media := w.Header().Get("Content-Type")
	if content[media] == nil {
		return fmt.Errorf("the media type %q", media)
	}
	if media == anyBytes || media == "application/pdf" {
		return nil
	}
	place := []string{"paths", o.Path, strings.ToLower(o.Method), "responses", status, "content", media, "schema"}
	if ref, is := o.Operation["responses"].(map[string]any)[status].(map[string]any)["$ref"].(string); is {
		place = append(strings.Split(strings.TrimPrefix(ref, "#/"), "/"), "content", media, "schema")
	}
	return d.validate(body, place...)
}

// CheckSent checks a body that was accepted against the description of the request. null counts as an absent field.
func (d *description) CheckSent(o *describedCall, r *http.Request, sent []byte) error {
	if o.Operation["requestBody"] == nil {
		return fmt.Errorf("a body")
	}
	if d.At(o.Operation, "requestBody", "content", anyBytes) != nil {
		return nil
	}
	if t := r.Header.Get("Content-Type"); t != "application/json" && d.At(o.Operation, "requestBody", "content",
		t) != nil {
		return nil // JSON Lines, whose values are not described
	}
	media, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if parts, is := d.At(o.Operation, "requestBody", "content", media, "schema", "properties").(map[string]any); is && params["boundary"] != "" {
		return checkParts(parts, multipart.NewReader(bytes.NewReader(sent), params["boundary"]))
	}
	var v any
	if err := json.Unmarshal(sent, &v); err != nil {
		return err
	}
	data, err := json.Marshal(withoutNulls(v))
	if err != nil {
		return err
	}
	return d.validate(data, "paths", o.Path, strings.ToLower(o.Method), "requestBody", "content", "application/json",
		"schema")
}

// checkParts checks that a form has described parts only, and those that are files as files.
func checkParts(described map[string]any, form *multipart.Reader) error {
	for {
		p, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		schema, is := described[p.FormName()].(map[string]any)
		if items, list := schema["items"].(map[string]any); list {
			schema = items
		}
		if !is || schema["type"] != "string" || schema["format"] == "binary" && p.FileName() == "" {
			return fmt.Errorf("the part %q with the file name %q", p.FormName(), p.FileName())
		}
	}
}

func withoutNulls(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = withoutNulls(v[i])
		}
	case map[string]any:
		for name, x := range v {
			if x == nil {
				delete(v, name)
			} else {
				v[name] = withoutNulls(x)
			}
		}
	}
	return v
}

func (d *description) validate(data []byte, pointer ...string) error {
	schema, err := d.schema(pointer...)
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}
