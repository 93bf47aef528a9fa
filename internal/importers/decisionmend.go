package importers

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// DecisionField is a field of a decision's JSON that holds a single value, or is missing.
type DecisionField struct {
	Path string // "statement", "evidence[0].retrieved_at"
	Text string // as it is typed in a form; "" where it is missing
}

// DecisionFields returns those of the named places of a decision that a form can show in one field each. The JSON is an
// object.
func DecisionFields(data []byte, paths []string) (out []DecisionField) {
	root, err := decisionTree(data)
	if err != nil {
		return nil
	}
	for _, path := range paths {
		parent, name := placeIn(root, path)
		known := slices.ContainsFunc(out, func(f DecisionField) bool { return f.Path == path })
		if parent == nil || known {
			continue
		}
		switch v := parent[name].(type) {
		case nil:
			out = append(out, DecisionField{Path: path})
		case string:
			out = append(out, DecisionField{path, v})
		case json.Number:
			out = append(out, DecisionField{path, v.String()})
		case bool:
			out = append(out, DecisionField{path, strconv.FormatBool(v)})
		}
	}
	return out
}

// MendDecision returns the JSON of a decision with single values replaced, as they are typed in a form. An empty text
// removes the field. A place that the decision does not have is refused.
func MendDecision(data []byte, fields []DecisionField) ([]byte, error) {
	root, err := decisionTree(data)
	if err != nil {
		return nil, err
	}
	for _, f := range fields {
		parent, name := placeIn(root, f.Path)
		switch {
		case parent == nil:
			return nil, domain.Refuse(domain.Invalid, f.Path, "refused_decision_place")
		case strings.TrimSpace(f.Text) == "":
			delete(parent, name)
		default:
			parent[name] = typed(name, f.Text)
		}
	}
	var out bytes.Buffer
	w := json.NewEncoder(&out)
	w.SetEscapeHTML(false)
	w.SetIndent("", " ")
	err = w.Encode(root)
	return bytes.TrimSpace(out.Bytes()), err
}

// decisionTree returns the JSON object of a decision with its numbers as they are written.
func decisionTree(data []byte) (root map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	d.UseNumber()
	if err := d.Decode(&root); err != nil || root == nil {
		return nil, &domain.Error{Kind: domain.Invalid, Op: "importers.MendDecision", Err: err,
			Message: words.Msg("refused_decision_object")}
	}
	return root, nil
}

var placeStep = regexp.MustCompile(`^([a-z0-9_]+)(?:\[([0-9]{1,4})\])?$`)

// placeIn returns the object that has the field of a path, and the field's name; nil if there is no such object.
func placeIn(root map[string]any, path string) (parent map[string]any, name string) {
	steps := strings.Split(path, ".")
	for i, step := range steps {
		m := placeStep.FindStringSubmatch(step)
		last := i == len(steps)-1
		if m == nil || last && m[2] != "" {
			return nil, ""
		}
		if last {
			return root, m[1]
		}
		next := root[m[1]]
		if n, err := strconv.Atoi(m[2]); err == nil {
			list, _ := next.([]any)
			if n >= len(list) {
				return nil, ""
			}
			next = list[n]
		}
		if root, _ = next.(map[string]any); root == nil {
			return nil, ""
		}
	}
	return nil, ""
}

// typed returns a typed text as the JSON value that a field of a decision holds.
func typed(name, text string) any {
	switch name {
	case "confidence", "data_freshness_window_hours", "offset_start", "offset_end":
		if n := strings.TrimSpace(text); json.Valid([]byte(n)) {
			return json.Number(n)
		}
	case "high_stakes", "contradiction_flag":
		if b, err := strconv.ParseBool(strings.TrimSpace(text)); err == nil {
			return b
		}
	}
	return text
}
