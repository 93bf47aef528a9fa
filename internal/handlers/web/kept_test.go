package web

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is kept takes no more than its budget: those asked for last stay, and one that would take most of it is left out.
func TestKeptPagesHaveABudget(t *testing.T) {
	require.Nil(t, newKeptPages(-1))
	require.Equal(t, defaultKeep, newKeptPages(0).limit)
	k := newKeptPages(100_000)
	page := func(size int) *keptPage { return newKeptPage("login", make([]byte, size), []byte("end")) }
	for i := range 200 {
		k.put(fmt.Appendf(nil, "page %d", i), page(1000))
		require.NotNil(t, k.get([]byte("page 0")), "asked for after each other")
		require.LessOrEqual(t, k.bytes, k.limit)
	}
	require.NotNil(t, k.get([]byte("page 199")))
	require.Nil(t, k.get([]byte("page 100")))
	require.Len(t, k.of, k.used.Len())
	sum := 0
	for e := k.used.Front(); e != nil; e = e.Next() {
		x := e.Value.(*keptEntry)
		sum += x.page.size() + 2*len(x.key)
	}
	require.Equal(t, sum, k.bytes)
	k.put([]byte("large"), page(6000))
	require.Nil(t, k.get([]byte("large")))
}

// Pages of two logins have different ETags, even if they are the same.
func TestKeptPagesOfTwoLogins(t *testing.T) {
	a, b := newKeptPage("a", []byte("head"), []byte("tail")), newKeptPage("b", []byte("head"), []byte("tail"))
	require.NotEqual(t, a.tag, b.tag)
	require.NotEqual(t, a.tag, newKeptPage("a", []byte("head "), []byte("tail")).tag)
}
