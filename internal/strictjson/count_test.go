package strictjson

import (
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// counted reads an input through a Counter, a byte at a time.
func counted(in string, most int) (int, string, error) {
	c := NewCounter(iotest.OneByteReader(strings.NewReader(in)), most)
	out, err := io.ReadAll(c)
	return c.Values(), string(out), err
}

func TestCounterCountsAsTheDecoderDoes(t *testing.T) {
	for in, want := range map[string]int{
		`{}`: 1, `[{},{}]`: 3, ` {"a":[1,-2.5e3,true,null,"x"],"b":{"c":"d"}} `: 9, `{"a\"}":"{[,\\"}`: 2,
		"1": 1, "": 0, "{\"a\":1}\n{\"a\":2}": 4, nested(70): 70, `[[],[[]],{"a":{}}]`: 6,
	} {
		n, out, err := counted(in, 1000)
		require.NoError(t, err, in)
		require.Equal(t, in, out, "the input is passed on unchanged")
		require.Equal(t, want, n, in)
		if strings.Contains(in, "\n") || in == "" || len(in) > 100 {
			continue
		}
		d := decoder{src: in}
		require.NoError(t, d.skip())
		require.Equal(t, want, d.values, in)
	}
}

func TestCounterNamesThePlace(t *testing.T) {
	for name, c := range map[string]struct{ in, path, says string }{
		"items":    {`{"chunks":[` + strings.Repeat("{},", 30) + `{}]}`, "chunks[18]", "more than 20 values"},
		"deep":     {`{"a b":[0,{"c":[` + strings.Repeat("1,", 30), `["a b"][1].c[15]`, "more than 20 values"},
		"unclosed": {strings.Repeat("[", 100), strings.Repeat("[0]", 20), "more than 20 values"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := counted(c.in, 20)
			var fault *Error
			require.ErrorAs(t, err, &fault)
			require.Equal(t, TooLarge, fault.Kind)
			require.Equal(t, c.path, fault.Path)
			require.Contains(t, fault.Message.String(), c.says)
		})
	}
}

// Both readers take an object of as many members as an object may have, and refuse one more at the object.
func TestMembersAreBounded(t *testing.T) {
	object := func(n int) string {
		var b strings.Builder
		b.WriteString(`{"x":{`)
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"` + strconv.Itoa(i) + `":0`)
		}
		return b.String() + "}}"
	}
	read := func(in string) (counter, decoder error) {
		_, counter = io.Copy(io.Discard, NewCounter(strings.NewReader(in), MaxValues(0)))
		return counter, Decode([]byte(in), new(struct{}), Options{Ignore: true})
	}
	counter, decoder := read(object(MaxMembers))
	require.NoError(t, counter)
	require.NoError(t, decoder)
	twice := strings.TrimSuffix(object(MaxMembers-1), "}}") + `,"0":0}}`
	counter, decoder = read(twice)
	require.NoError(t, counter, "names are the decoder's")
	require.ErrorIs(t, decoder, ErrMalformed)
	require.ErrorContains(t, decoder, `"0"`)
	counter, decoder = read(object(MaxMembers + 1))
	for _, err := range []error{counter, decoder} {
		var fault *Error
		require.ErrorAs(t, err, &fault)
		require.Equal(t, "x", fault.Path)
		require.Equal(t, "This object has more than 100,000 entries; leave some out.", fault.Message.String())
	}
}

func TestDecodeBoundsValues(t *testing.T) {
	in := []byte(`{"x":[` + strings.Repeat("0,", MaxMembers) + `0]}`)
	err := Decode(in, new(struct{}), Options{Ignore: true, MaxBytes: len(in)})
	var fault *Error
	require.ErrorAs(t, err, &fault)
	require.Equal(t, TooLarge, fault.Kind)
	require.Equal(t, "x[99998]", fault.Path)
	require.NoError(t, Decode(in, new(struct{}), Options{Ignore: true}))
}

func TestListsAreBounded(t *testing.T) {
	list := func(n int) []byte { return []byte(`{"a":[` + strings.Repeat("{},", n-1) + `{}]}`) }
	var in struct{ A []struct{ B string } }
	type named struct {
		A []struct{ B string } `json:"a"`
	}
	require.NoError(t, Decode(list(MaxItems), new(named), Options{}))
	err := Decode(list(MaxItems+1), new(named), Options{})
	var fault *Error
	require.ErrorAs(t, err, &fault)
	require.Equal(t, TooLarge, fault.Kind)
	require.Equal(t, "a", fault.Path)
	require.NoError(t, Decode(list(MaxItems+1), &in, Options{Ignore: true}), "what is skipped takes no memory")
}

// A list of a million items is read in one go: to look for its end after each item must not read what was read again.
func TestTakeMakesNoErrors(t *testing.T) {
	c := NewCursor("["+strings.Repeat("{},", 1000)+"{}]", 0)
	require.True(t, c.Take('['))
	require.Zero(t, testing.AllocsPerRun(100, func() {
		require.False(t, c.Take(']'))
	}))
	require.False(t, NewCursor("", 0).Take(0))
}
