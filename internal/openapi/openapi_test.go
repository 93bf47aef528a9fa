package openapi

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type colour string

type part struct {
	Name string `json:"name" need:"a name"`
}

type apiThing struct {
	part
	Parts   []part          `json:"parts"`
	Colour  colour          `json:"colour"`
	Best    *part           `json:"best"`
	Maybe   *int            `json:"maybe,omitempty"`
	Raw     json.RawMessage `json:"raw"`
	Counts  map[string]int  `json:"counts"`
	MadeAt  *string         `json:"made_at"`
	When    time.Time       `json:"when"`
	Secret  string          `json:"-"`
	private string
}

func schemas() *Schemas {
	return &Schemas{
		Words: map[reflect.Type][]string{reflect.TypeFor[colour](): {"red", "green"}},
		Notes: map[string]string{"Thing.counts": "By name."},
	}
}

func written(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}

// In what is sent, every field without omitempty is present, a pointer may be null, and embedded fields are inlined.
func TestSent(t *testing.T) {
	s := schemas()
	require.Equal(t, `{"$ref":"#/components/schemas/Thing"}`, written(t, s.Sent(apiThing{private: ""})))
	require.Equal(t, `{"$ref":"#/components/schemas/Thing"}`, written(t, s.Sent(apiThing{})), "once")
	require.Equal(t, `{"Part":{"type":"object","properties":{"name":{"type":"string","description":"a name"}},"required":["name"]},`+
		`"Thing":{"type":"object","properties":{"name":{"type":"string","description":"a name"},"parts":{"type":"array","items":{"$ref":"#/components/schemas/Part"}},`+
		`"colour":{"type":"string","enum":["red","green"]},"best":{"anyOf":[{"$ref":"#/components/schemas/Part"},{"type":"null"}]},"maybe":{"type":"integer"},"raw":{},`+
		`"counts":{"type":"object","description":"By name.","additionalProperties":{"type":"integer"}},"made_at":{"type":["string","null"],"format":"date-time"},"when":{"type":"string"}},`+
		`"required":["name","parts","colour","best","raw","counts","made_at","when"]}}`, written(t, s.Named()))
}

// In what is read, the tag "need" marks required fields, and unknown fields are refused unless the schema is open.
func TestRead(t *testing.T) {
	s := schemas()
	s.Notes = nil
	s.Read(part{})
	require.Equal(t, `{"PartInput":{"type":"object","properties":{"name":{"type":"string","description":"a name"}},"required":["name"],"additionalProperties":false}}`, written(t, s.Named()))
	open := &Schemas{Open: []string{"PartInput"}, Needed: map[string][]string{"PartInput": {"more"}}}
	open.Read(part{})
	require.Equal(t, `{"PartInput":{"type":"object","properties":{"name":{"type":"string","description":"a name"}},"required":["name","more"]}}`, written(t, open.Named()))
}

// Two types with one name, and a type without a schema, are reported.
func TestSentReportsMistakes(t *testing.T) {
	s := schemas()
	s.Sent(part{})
	type Part struct{}
	require.Panics(t, func() { s.Sent(Part{}) })
	require.Panics(t, func() { s.Sent(make(chan int)) })
}

func TestOrNull(t *testing.T) {
	require.Equal(t, `{"type":["string","null"],"enum":["a",null]}`, written(t, OrNull(Choice([]string{"a"}, ""))))
	require.Equal(t, `{}`, written(t, OrNull(&Schema{})))
	once := String("x")
	OrNull(once)
	require.Equal(t, Types{"string"}, once.Type, "the schema itself stays as it is")
}

// An object keeps the order of its members.
func TestOrdered(t *testing.T) {
	var o Ordered[int]
	o.Set("b", 1)
	o.Set("a", 2)
	o.Set("b", 3)
	require.Equal(t, `{"b":3,"a":2}`, written(t, o))
	require.Equal(t, 2, o.Get("a"))
	require.Zero(t, o.Get("c"))
}
