package judge

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFuse(t *testing.T) {
	for _, c := range []struct {
		name     string
		rankings [][]int
		want     []int
	}{
		{"nothing", nil, nil},
		{"one keeps its order", [][]int{{5, 2, 9}}, []int{5, 2, 9}},
		{"an empty one changes nothing", [][]int{{5, 2, 9}, nil}, []int{5, 2, 9}},
		{"both beat one", [][]int{{1, 2, 3}, {9, 2, 8}}, []int{2, 1, 9, 3, 8}},
		{"equal ones by place", [][]int{{7, 4}, {4, 7}}, []int{4, 7}},
		{"apart, equal ranks by place", [][]int{{8, 6}, {3, 1}}, []int{3, 8, 1, 6}},
		{"twice counts once", [][]int{{1, 2, 2, 2}, {3}}, []int{1, 3, 2}},
		// 2/(60+30) is more than 1/(60+1)
		{"late in both beats first in one", [][]int{
			{100, 11, 12, 13, 14, 15, 16, 17, 18, 0}, {101, 21, 22, 23, 24, 25, 26, 27, 28, 0}},
			[]int{0, 100, 101, 11, 21, 12, 22, 13, 23, 14, 24, 15, 25, 16, 26, 17, 27, 18, 28}},
	} {
		require.Equal(t, c.want, Fuse(c.rankings...), c.name)
	}
}

func TestCandidatesByAnotherRanking(t *testing.T) {
	texts := []string{"الإجازة السنوية ثلاثون يوما.", "ساعات العمل ثمان.", "Annual leave is thirty days.", "المقصف مغلق يوم الجمعة."}
	var row Row
	for _, text := range texts {
		row.Evidence = append(row.Evidence, Evidence{Doc: text, Text: text})
	}
	x := NewIndex(RowSession(row))
	require.Equal(t, 4, x.Len())
	require.Equal(t, texts[3], x.PassageText(3))
	order := func(claim string, rankings ...[]int) (out []string) {
		for _, p := range x.Candidates(claim, 3, rankings...) {
			out = append(out, p.Text)
		}
		return out
	}
	require.Equal(t, []string{texts[2], texts[0], texts[1]}, order("Annual leave is 30 days."))
	require.Equal(t, []string{texts[2], texts[3], texts[0]}, order("Annual leave is 30 days.", []int{3, 2}))
	require.Equal(t, []string{texts[3], texts[0], texts[1]}, order("The canteen is closed.", []int{3}))
	require.Equal(t, []string{texts[3], texts[0], texts[1]}, order("The canteen is closed.", []int{99, -1, 3}), "no such places")
}
