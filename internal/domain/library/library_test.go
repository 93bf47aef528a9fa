package library_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/library"
)

func TestNamed(t *testing.T) {
	d, err := library.Named("  Leave \n policy ", "/HR// Policies /", "Leave, إجازة، leave,,HR")
	require.NoError(t, err)
	require.Equal(t, &library.Document{Name: "Leave policy", Folder: "HR/Policies", Tags: []string{"HR", "Leave", "إجازة"}}, d)
	for field, in := range map[string][3]string{
		"name":   {" ", "", ""},
		"folder": {"a", strings.Repeat("x", library.MaxFolder+1), ""},
		"tags":   {"a", "", strings.Repeat("x", library.MaxTag+1)},
	} {
		_, err := library.Named(in[0], in[1], in[2])
		var fault *domain.Error
		require.ErrorAs(t, err, &fault)
		require.Equal(t, field, fault.Path)
	}
}

func TestSearchKeyHoldsTerms(t *testing.T) {
	d := library.Document{Name: "Leave Policy", Folder: "HR", Tags: []string{"annual leave", "hr"}}
	found := func(q library.Query) bool {
		for _, term := range q.Terms() {
			if !strings.Contains(d.SearchKey(), term) {
				return false
			}
		}
		return true
	}
	require.Len(t, (&library.Query{Words: strings.Repeat("leave ", 100)}).Terms(), 16, "a search is bounded")
	require.True(t, found(library.Query{Words: "POLICY leav"}))
	require.True(t, found(library.Query{Tag: "Annual leave"}))
	require.False(t, found(library.Query{Tag: "annual"}), "a tag is whole")
	require.False(t, found(library.Query{Words: "policy pension"}))
}

func TestCompare(t *testing.T) {
	now := []library.Passage{
		{Page: 1, Heading: []string{"Leave"}, Text: "Employees have 15 days\nof annual leave."},
		{Page: 2, Heading: []string{"Sick leave"}, Text: "A doctor's note is needed. It is due"},
		{Page: 3, Heading: []string{"Sick leave"}, Text: "within three days."},
	}
	for _, x := range []struct {
		name  string
		cited library.Cited
		want  library.Fate
		page  int
	}{
		{name: "same", cited: library.Cited{Words: "15 days of annual leave", Page: 1, Heading: []string{"Leave"}},
			want: library.Same, page: 1},
		{name: "another page", cited: library.Cited{Words: "15 days of annual leave", Page: 4, Heading: []string{"Leave"}},
			want: library.Moved, page: 1},
		{name: "another heading", cited: library.Cited{Words: "A doctor's note", Page: 2}, want: library.Moved, page: 2},
		{name: "across passages", cited: library.Cited{Words: "It is due within three days.", Page: 2, Heading: []string{"Sick leave"}},
			want: library.Same, page: 2},
		{name: "another figure", cited: library.Cited{Words: "16 days of annual leave", Page: 1, Heading: []string{"Leave"}},
			want: library.Lost, page: 0},
		{name: "nothing", cited: library.Cited{Words: " "}, want: library.Lost, page: 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			uses := []library.Use{{Cited: []library.Cited{x.cited}}}
			library.Compare(uses, now)
			require.Equal(t, x.want, uses[0].Cited[0].Now)
			require.Equal(t, x.page, uses[0].Cited[0].At.Page)
			require.Equal(t, 1, uses[0].Count(x.want))
		})
	}
	uses := []library.Use{{Cited: []library.Cited{{Words: "anything"}}}}
	library.Compare(uses, nil)
	require.Equal(t, library.Lost, uses[0].Cited[0].Now, "a version without text")
}

// Of several places, the one where the words stood before counts.
func TestCompareTakesTheSamePlace(t *testing.T) {
	now := []library.Passage{{Page: 1, Text: "Notice is one month."}, {Page: 5, Text: "Notice is one month."}}
	uses := []library.Use{{Cited: []library.Cited{{Words: "Notice is one month.", Page: 5}}}}
	library.Compare(uses, now)
	require.Equal(t, library.Same, uses[0].Cited[0].Now)
}

// Cited words are whole words: a figure that only ends or begins like the cited one is another figure.
func TestCompareTakesWholeWords(t *testing.T) {
	for _, x := range []struct {
		cited, now string
		want       library.Fate
	}{
		{cited: "15 days", now: "Leave is 115 days.", want: library.Lost},
		{cited: "within 5", now: "within 50 days", want: library.Lost},
		{cited: "within 5", now: "within 5.5 days", want: library.Lost},
		{cited: "5 days", now: "2.5 days", want: library.Lost},
		{cited: "5 days", now: "2٫5 days", want: library.Lost},
		{cited: "لا تزيد على ٣", now: "لا تزيد على ٣٠", want: library.Lost},
		{cited: "paid", now: "unpaid leave", want: library.Lost},
		{cited: "5 days", now: "at least 115 days, or 5 days", want: library.Same},
		{cited: "within 5", now: "within 5.", want: library.Same},
		{cited: "within 5,", now: "within 5, 6", want: library.Same},
		{cited: "(paid)", now: "un(paid)ly", want: library.Same},
		{cited: "年假", now: "十五天年假的", want: library.Same},
	} {
		uses := []library.Use{{Cited: []library.Cited{{Words: x.cited}}}}
		library.Compare(uses, []library.Passage{{Text: x.now}})
		require.Equal(t, x.want, uses[0].Cited[0].Now, "%s in %s", x.cited, x.now)
	}
}

// TestRedline: each paragraph of a comparison has its place in the newer version, one that was removed whole its place in
// the older one; text that only moved to another line or page is no change.
func TestRedline(t *testing.T) {
	older := []library.Passage{
		{Page: 1, Heading: []string{"Leave"}, Text: "Employees have 15 days\nof annual leave."},
		{Page: 2, Text: " "},
		{Page: 2, Heading: []string{"Badges"}, Text: "Visitors wear a badge."},
		{Page: 3, Heading: []string{"إشعار"}, Text: "مدة الإشعار شهر واحد."},
	}
	newer := []library.Passage{
		{Page: 1, Heading: []string{"Leave"}, Text: "Employees have 20 days of annual leave."},
		{Page: 5, Heading: []string{"إشعار"}, Text: "مدة الإشعار شهران."},
	}
	r := library.NewRedline(older, newer)
	require.True(t, r.Changed())
	var got []string
	for i, p := range r.Paragraphs {
		at := r.Places[i]
		line := fmt.Sprint(at.Page, " ", strings.Join(at.Heading, "/"), " ", at.Older, ":")
		for _, x := range p {
			line += " " + string(x.Op[0]) + "(" + strings.TrimSpace(x.Text) + ")"
		}
		got = append(got, line)
	}
	require.Equal(t, []string{
		"1 Leave false: k(Employees have) r(15) a(20) k(days of annual leave.)",
		"2 Badges true: r(Visitors wear a badge.)",
		"5 إشعار false: k(مدة الإشعار) r(شهر واحد) a(شهران) k(.)",
	}, got)
	require.False(t, library.NewRedline(older, older).Changed())
	require.Empty(t, library.NewRedline(nil, nil).Paragraphs)

	long := []library.Passage{{Page: 1, Text: strings.Repeat("كلمة ", library.MaxCompared/9+1)}, {Page: 2, Text: "not compared"}}
	r = library.NewRedline(long, long[:1])
	require.True(t, r.Cut)
	require.False(t, r.Changed(), "what was not compared is not said to have changed")
}
