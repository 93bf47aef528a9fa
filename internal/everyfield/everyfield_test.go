package everyfield_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/everyfield"
)

type colour string

type inner struct {
	Name   string
	Colour colour
	Done   bool
}

type outer struct {
	inner  int // not exported: left alone
	Text   string
	Number int
	Share  float64
	At     time.Time
	Raw    json.RawMessage
	List   []inner
	Map    map[string]inner
	Ptr    *inner
	Two    [2]inner
	For    time.Duration
}

func colours() everyfield.Values {
	v := everyfield.Values{}
	everyfield.Add(v, colour("red"), colour("blue"))
	return v
}

func TestFillLeavesNothingUnset(t *testing.T) {
	var v outer
	require.Contains(t, everyfield.Unset(v), "List")
	everyfield.Fill(&v, colours())
	require.Empty(t, everyfield.Unset(v))
	require.Zero(t, v.inner)
	require.NotEqual(t, v.List[0], v.List[1])
	require.Equal(t, colour("red"), v.List[0].Colour)
	require.Equal(t, colour("blue"), v.List[1].Colour)
	v.List[0].Name, v.List[1].Name = "", ""
	require.Equal(t, []string{"List[].Name"}, everyfield.Unset(v))
}

func TestDifferNamesEachField(t *testing.T) {
	var a, b outer
	everyfield.Fill(&a, colours())
	everyfield.Fill(&b, colours())
	require.Empty(t, everyfield.Differ(&a, &b))
	b.List[1].Name, b.Two[0].Done, b.Ptr, b.Raw = "other", !b.Two[0].Done, nil, nil
	for key, v := range b.Map {
		v.Colour = "green"
		b.Map[key] = v
	}
	require.Equal(t, []string{"List[].Name", "Map{}.Colour", "Ptr", "Raw", "Two[].Done"}, everyfield.Differ(a, b))
	b.List = b.List[:1]
	require.Contains(t, everyfield.Differ(a, b), "List")
}

// TestEachChangeReachesEveryField: every field that Fill sets is changed, alone, and restored.
func TestEachChangeReachesEveryField(t *testing.T) {
	var v, was outer
	everyfield.Fill(&v, colours())
	everyfield.Fill(&was, colours())
	var changed []string
	everyfield.EachChange(&v, colours(), func(path string) {
		require.Equal(t, []string{path}, everyfield.Differ(v, was))
		changed = append(changed, path)
	})
	require.Empty(t, everyfield.Differ(v, was), "every field is restored")
	for _, path := range []string{
		"Text", "Number", "Share", "At", "Raw", "List[].Name", "List[].Colour", "List[].Done", "Map{}.Name",
		"Map{}.Done", "Ptr.Colour",
		"Two[].Name", "For",
	} {
		require.Contains(t, changed, path)
	}
}

func TestFaults(t *testing.T) {
	reasons := map[string]string{"ID": "made by the store", "Run.*": "judging"}
	require.Empty(t, everyfield.Faults([]string{"ID", "Run.At", "Run.Judge"}, reasons))
	require.Equal(t, []string{
		"the field ID is not lost: take it off the list", "the field Text is lost: copy it, or list it with the reason",
	}, everyfield.Faults([]string{"Run.At", "Text"}, reasons))
}
