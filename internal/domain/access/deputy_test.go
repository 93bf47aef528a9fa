package access

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func approver(id string) Person { return Person{ID: id, Name: id, Role: Approver} }

// deputy is one of id's for some days, counted from noon.
func deputy(id, by string, from, until int) *Deputy {
	return &Deputy{For: approver(id), By: approver(by), SetBy: id, Starts: noon.AddDate(0, 0, from),
		Ends: noon.AddDate(0, 0, until)}
}

// TestDeputyIsRefused: each case is refused with its own words, and what stands beside it is not.
func TestDeputyIsRefused(t *testing.T) {
	made := MakersOf([]Made{{"made", "maker"}, {"a", "boss"}, {"b", "boss"}})
	reviewer := deputy("x", "y", 0, 5)
	reviewer.By.Role = Reviewer
	lost := deputy("x", "y", 0, 5)
	lost.By.Role = ""
	viewer := deputy("x", "y", 0, 5)
	viewer.For.Role = Viewer
	byAdmin := deputy("x", "y", 0, 5)
	byAdmin.SetBy = "y"
	beside := func(id, by string, from, until int) []Deputy { return []Deputy{*deputy(id, by, from, until)} }
	ended := *deputy("y", "x", 0, 5)
	ended.EndedAt = noon.Add(-time.Hour)
	for name, c := range map[string]struct {
		d      *Deputy
		others []Deputy
		want   string
	}{
		"allowed":                         {deputy("x", "y", 0, 5), nil, ""},
		"oneself":                         {deputy("x", "x", 0, 5), nil, "refused_deputy_oneself"},
		"an administrator names oneself":  {byAdmin, nil, "refused_deputy_setter"},
		"a role that may not approve":     {reviewer, nil, "refused_deputy_role"},
		"who has left":                    {lost, nil, "refused_deputy_role"},
		"of who approves nothing":         {viewer, nil, "refused_deputy_no_need"},
		"the maker of the account":        {deputy("made", "maker", 0, 5), nil, "refused_deputy_maker"},
		"whose account the person made":   {deputy("maker", "made", 0, 5), nil, "refused_deputy_maker"},
		"two of one maker":                {deputy("a", "b", 0, 5), nil, "refused_deputy_maker"},
		"over":                            {deputy("x", "y", -5, 0), nil, "refused_deputy_over"},
		"the wrong way round":             {deputy("x", "y", 5, 5), nil, "refused_deputy_order"},
		"too long":                        {deputy("x", "y", 0, 367), nil, "refused_deputy_long"},
		"too far ahead":                   {deputy("x", "y", 367, 368), nil, "refused_deputy_far"},
		"a second at a time":              {deputy("x", "y", 0, 5), beside("x", "z", 4, 9), "refused_deputy_two"},
		"one after the other":             {deputy("x", "y", 0, 5), beside("x", "z", 5, 9), ""},
		"a circle":                        {deputy("x", "y", 0, 5), beside("y", "x", 4, 9), "refused_deputy_circle"},
		"a circle of other days":          {deputy("x", "y", 0, 5), beside("y", "x", 5, 9), ""},
		"a circle that was ended":         {deputy("x", "y", 0, 5), []Deputy{ended}, ""},
		"a deputy who is away":            {deputy("x", "y", 0, 5), beside("y", "z", 1, 2), "refused_deputy_away"},
		"passing on":                      {deputy("x", "y", 0, 5), beside("w", "x", 1, 2), "refused_deputy_chain"},
		"a deputy of two":                 {deputy("x", "y", 0, 5), beside("w", "y", 1, 2), ""},
		"a circle of three, at its third": {deputy("z", "x", 0, 5), beside("x", "y", 1, 2), "refused_deputy_away"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.d.Check(noon, c.others, made)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			var refused *domain.Error
			require.ErrorAs(t, err, &refused)
			require.Equal(t, c.want, refused.Message.ID)
			require.NotEmpty(t, refused.Path, "the field is named")
		})
	}
}

// TestDeputyHolds: from the first moment until the last, unless it is ended or one of the two loses the role.
func TestDeputyHolds(t *testing.T) {
	d := deputy("x", "y", 0, 5)
	require.False(t, d.Holds(noon.Add(-time.Nanosecond)))
	require.True(t, d.Holds(noon))
	require.True(t, d.Holds(d.Ends.Add(-time.Nanosecond)))
	require.False(t, d.Holds(d.Ends))
	d.EndedAt = noon.Add(time.Hour)
	require.True(t, d.Holds(noon))
	require.False(t, d.Holds(d.EndedAt))
	d.EndedAt, d.For.Role = time.Time{}, Reviewer
	require.False(t, d.Holds(noon))
	d.For.Role, d.By.Role = Admin, Auditor
	require.False(t, d.Holds(noon))
	own, others := DeputiesOf([]Deputy{*deputy("x", "y", 3, 5), *deputy("x", "z", 0, 3), *deputy("w", "x", -9, -5),
		*deputy("v", "x", 6, 9)}, "x", noon)
	require.Equal(t, []string{"z", "y"}, []string{own[0].By.ID, own[1].By.ID})
	require.Len(t, others, 1, "what is over is left out")
}
