package filter_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/filter"
)

type colour string

type query struct {
	words    string
	colour   colour
	late     bool
	from, to time.Time
	number   int
}

var filters = filter.List[query]{
	filter.Text("q", "", func(q *query) *string { return &q.words }),
	filter.OneOf("colour", "", []colour{"red", "green"}, func(q *query) *colour { return &q.colour }).Called("paint"),
	filter.Only("late", "", func(q *query) *bool { return &q.late }),
	filter.From("from", "", func(q *query) *time.Time { return &q.from }),
	filter.To("to", "", func(q *query) *time.Time { return &q.to }),
	filter.At("number", "", func(q *query) *int { return &q.number }),
}

func TestRead(t *testing.T) {
	day := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	for name, x := range map[string]struct {
		in   map[string]string
		want query
		left []string
	}{
		"nothing": {in: nil},
		"all": {in: map[string]string{"q": " a ", "colour": "red", "late": "1", "from": "2026-01-31", "to": "2026-01-31",
			"number": "7"}, want: query{words: " a ", colour: "red", late: true, from: day, to: day.AddDate(0, 0, 1), number: 7}},
		"Arabic digits":    {in: map[string]string{"from": "٢٠٢٦-٠١-٣١"}, want: query{from: day}},
		"values not taken": {in: map[string]string{"colour": "blue", "from": "soon", "number": "0"}, left: []string{"colour", "from", "number"}},
		"the rest counts":  {in: map[string]string{"colour": "blue", "late": "yes"}, want: query{late: true}, left: []string{"colour"}},
		"unknown names":    {in: map[string]string{"size": "1"}},
	} {
		t.Run(name, func(t *testing.T) {
			q, left := filters.Read(func(name string) string { return x.in[name] })
			require.Equal(t, x.want, q)
			var names []string
			for _, l := range left {
				require.Equal(t, x.in[l.Name], l.Value)
				names = append(names, l.Name)
			}
			require.Equal(t, x.left, names)
		})
	}
}

// What On gives for a query is read as the same query again.
func TestOnReadsBack(t *testing.T) {
	q := query{words: "w", colour: "green", late: true, from: time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC),
		to: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), number: 3}
	values := map[string]string{}
	for name, v := range filters.On(&q) {
		values[name] = v
	}
	require.Len(t, values, len(filters))
	again, left := filters.Read(func(name string) string { return values[name] })
	require.Empty(t, left)
	require.Equal(t, q, again)
}

func TestCheck(t *testing.T) {
	require.Empty(t, filters.Check(&query{colour: "red", words: "anything"}))
	left := filters.Check(&query{colour: "blue"})
	require.Len(t, left, 1)
	require.Equal(t, "paint", left[0].Member)
	require.Equal(t, []string{"red", "green"}, left[0].Values)
}
