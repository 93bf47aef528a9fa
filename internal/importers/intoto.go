package importers

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// in-toto Statements attached as evidence (in-toto Statement v1, DSSE, Sigstore bundle; rule F-7): an answer with
// statements. Their content becomes text, with one passage for the subjects and one for the predicate. Signatures are
// not checked here; a warning says so.

type intotoFile struct {
	Query        string            `json:"query"`
	Answer       string            `json:"answer"`
	Statements   []json.RawMessage `json:"statements"`
	Attestations []json.RawMessage `json:"attestations"`
}

type intotoStatement struct {
	Type    string `json:"_type"`
	Subject []struct {
		Name   string            `json:"name"`
		URI    string            `json:"uri"`
		Digest map[string]string `json:"digest"`
	} `json:"subject"`
	PredicateType string          `json:"predicateType"`
	Predicate     json.RawMessage `json:"predicate"`

	Payload     string          `json:"payload"` // DSSE
	PayloadType string          `json:"payloadType"`
	Envelope    json.RawMessage `json:"dsseEnvelope"` // Sigstore bundle
}

func readInToto(r row) (*draft, error) {
	var f intotoFile
	if err := r.into(&f); err != nil {
		return nil, err
	}
	d := newDraft(r.path, "answer")
	d.head.Query = f.Query
	d.say(f.Answer, "")
	list, field := f.Statements, "statements"
	if list == nil {
		list, field = f.Attestations, "attestations"
	}
	for i, raw := range list {
		if err := d.attested(joined(r.path, at(field, i, "")), raw, 0); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// attested reads a statement, or the one in an envelope.
func (d *draft) attested(path string, raw json.RawMessage, depth int) error {
	var s intotoStatement
	if err := sub(path, raw, &s); err != nil {
		return err
	}
	switch {
	case begins(s.Envelope) == '{' && depth < 3:
		return d.attested(path+".dsseEnvelope", s.Envelope, depth+1)
	case s.Payload != "" && depth < 3:
		inner, err := base64.StdEncoding.DecodeString(s.Payload)
		if err != nil {
			return domain.Refuse(domain.Invalid, path+".payload", "refused_in_base64")
		}
		d.skip(path, words.Msg("warning_envelope"))
		var v json.RawMessage
		if err := under(path+".payload", Decode(inner, &v, strictjson.Options{})); err != nil {
			return err
		}
		return d.attested(path+".payload", v, depth+1)
	case s.Type != "https://in-toto.io/Statement/v1" && s.Type != "https://in-toto.io/Statement/v0.1":
		return domain.Refuse(domain.Invalid, path+"._type", "refused_in_statement")
	}
	var subjects []string
	for _, x := range s.Subject {
		for _, kind := range slices.Sorted(maps.Keys(x.Digest)) {
			subjects = append(subjects, fmt.Sprintf("%s has the %s digest %s.", x.Name+x.URI, kind, x.Digest[kind]))
		}
	}
	id := fmt.Sprintf("statement %d", len(d.sources)+1)
	d.passage(path+".subject", id, s.PredicateType, strings.Join(subjects, "\n"))
	var predicate []string
	flat := attributes{}
	flatten(flat, "", map[string]json.RawMessage{"predicate": s.Predicate})
	for _, key := range slices.Sorted(maps.Keys(flat)) {
		// the items of lists of objects are flattened one by one
		if c := begins(flat[key]); c != 0 && c != '{' && (c != '[' || flat[key][1] != '{') {
			predicate = append(predicate,
				fmt.Sprintf("%s: %s", strings.TrimPrefix(key, "predicate."), plainJSONText(flat[key])))
		}
	}
	d.passage(path+".predicate", id, "", strings.Join(predicate, "\n"))
	return nil
}
