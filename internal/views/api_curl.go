package views

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"sanad/internal/openapi"
)

// curlOf writes a call as a shell command. $SANAD is the server's address, $SANAD_TOKEN the caller's token; the other
// variables are the parts of the path and the needed parameters of the query, in capitals.
func curlOf(d *openapi.Document, method, path string, o *openapi.Operation) string {
	lines := []string{"curl -sS"}
	if method != "get" {
		lines[0] += " -X " + strings.ToUpper(method)
	}
	var query []string
	headers := []string{}
	for _, param := range o.Parameters {
		if name := lastPart(param.Ref); name != "" {
			param = d.Components.Parameters.Get(name)
		}
		switch {
		case param.In == "path":
			path = strings.Replace(path, "{"+param.Name+"}", "$"+variable(param.Name), 1)
		case param.In == "query" && (param.Required || param.Name == "q" && slices.Contains(o.Tags, "search")):
			query = append(query, param.Name+"=$"+variable(param.Name))
		case param.Name == "Idempotency-Key":
			headers = append(headers, `"Idempotency-Key: $KEY"`)
		case param.Name == "If-Match":
			headers = append(headers, `'If-Match: *'`)
		}
	}
	if len(query) > 0 {
		path += "?" + strings.Join(query, "&")
	}
	lines[0] += ` "$SANAD` + path + `"`
	if len(o.Security) == 0 {
		lines = append(lines, `-H "Authorization: Bearer $SANAD_TOKEN"`)
	}
	for _, h := range headers {
		lines = append(lines, "-H "+h)
	}
	return strings.Join(append(lines, curlBody(d, o)...), " \\\n  ")
}

// variable is the name of a parameter's shell variable.
func variable(name string) string { return strings.ToUpper(strings.ReplaceAll(name, "-", "_")) }

// curlBody returns the options that send an operation's body. One that may be left out, and has no example, is.
func curlBody(d *openapi.Document, o *openapi.Operation) []string {
	if o.Body == nil {
		return nil
	}
	media := slices.Sorted(maps.Keys(o.Body.Content))[0]
	body := o.Body.Content[media]
	kind := "-H 'Content-Type: " + media + "'"
	switch {
	case media != "application/json":
		return []string{kind, `--data-binary "@$FILE"`}
	case body.Example != nil:
		return []string{kind, "--data " + shellQuoted(compact(body.Example))}
	case !o.Body.Required:
		return nil
	}
	return []string{kind, "--data " + shellQuoted(compact(least(d, body.Schema, 0)))}
}

// shellQuoted puts a text between single quotes.
func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func compact(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "{}"
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// maxDepth bounds how deep least goes into schemas that name themselves.
const maxDepth = 8

// least returns the smallest value that a schema accepts.
func least(d *openapi.Document, s *openapi.Schema, depth int) any {
	switch {
	case s == nil || depth > maxDepth:
		return map[string]any{}
	case s.Ref != "":
		return least(d, d.Components.Schemas.Get(lastPart(s.Ref)), depth+1)
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Default != nil:
		return s.Default
	case len(s.AnyOf) > 0:
		return least(d, s.AnyOf[0], depth+1)
	case s.Items != nil:
		return []any{least(d, s.Items, depth+1)}
	case len(s.Type) == 0:
		return map[string]any{}
	}
	switch s.Type[0] {
	case "object":
		out := map[string]any{}
		for _, p := range s.Properties {
			if slices.Contains(s.Required, p.Name) {
				out[p.Name] = least(d, p.Value, depth+1)
			}
		}
		return out
	case "integer", "number":
		if s.Minimum != nil {
			return *s.Minimum
		}
		return 1
	case "boolean":
		return true
	case "null":
		return nil
	}
	if s.Format == "date-time" {
		return "2026-01-31T09:00:00Z"
	}
	return "…"
}

// curlVariables sets what the samples use; base is the address of this server.
func curlVariables(base string) string {
	return "SANAD=" + base + `
SANAD_TOKEN=$(sanad token add --name me --role reviewer)
KEY=$(uuidgen)  # another one for each request`
}
