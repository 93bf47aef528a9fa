package web

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is kept takes no more than its budget: those asked for last stay, and one that would take most of it is left out.
func TestCachedPagesHaveABudget(t *testing.T) {
	require.Nil(t, newPageCache(-1))
	require.Equal(t, defaultCacheBytes, newPageCache(0).limit)
	k := newPageCache(100_000)
	page := func(size int) *cachedPage { return newCachedPage("login", make([]byte, size), []byte("end")) }
	at := func(address, state string) pageKey {
		return pageKey{all: []byte(address + state), address: len(address)}
	}
	for i := range 200 {
		k.put(at(fmt.Sprint("page ", i), ""), page(1000))
		require.NotNil(t, k.get(at("page 0", "")), "asked for after each other")
		require.LessOrEqual(t, k.bytes, k.limit)
	}
	require.NotNil(t, k.get(at("page 199", "")))
	require.Nil(t, k.get(at("page 100", "")))
	require.Len(t, k.of, k.used.Len())
	sum := 0
	for e := k.used.Front(); e != nil; e = e.Next() {
		x := e.Value.(*cacheEntry)
		sum += x.page.size() + 2*len(x.key)
	}
	require.Equal(t, sum, k.bytes)
	k.put(at("large", ""), page(6000))
	require.Nil(t, k.get(at("large", "")))
}

// A session that is reviewed a thousand times takes no more memory than one that is reviewed once: nobody asks again for
// a page as it was.
func TestCachedPagesDoNotGrowWithChanges(t *testing.T) {
	k := newPageCache(0)
	at := func(state int) pageKey {
		return pageKey{all: fmt.Appendf(nil, "address%4d", state), address: len("address")}
	}
	page := func(size int) *cachedPage { return newCachedPage("login", make([]byte, size), []byte("end")) }
	k.put(at(0), page(2000))
	once, _ := k.figures()
	for i := range 1000 {
		k.put(at(i), page(2000))
		require.NotNil(t, k.get(at(i)))
		require.Nil(t, k.get(at(i-1)), "another state")
	}
	now, limit := k.figures()
	require.Equal(t, once, now)
	require.Equal(t, defaultCacheBytes, limit)
	require.Equal(t, 1, k.used.Len())
	k.put(at(1000), page(defaultCacheBytes))
	now, _ = k.figures()
	require.Zero(t, now, "the page of before is not asked for again, even if the newer one is too large")
	require.Nil(t, k.get(at(999)))
}

// What nobody can be sent again takes no memory: the pages of an earlier period go with the first page of the next one.
func TestCachedPagesGoWithTheirTurn(t *testing.T) {
	k := newPageCache(0)
	page := newCachedPage("login", make([]byte, 2000), []byte("end"))
	at := func(address int, period int64) pageKey {
		all := fmt.Appendf(nil, "%5d", address)
		return pageKey{all: fmt.Append(all, period), address: len(all), period: period}
	}
	k.put(at(0, 1), page)
	one, _ := k.figures()
	for i := range 100 {
		k.put(at(i, 1), page)
	}
	many, _ := k.figures()
	require.Equal(t, 100*one, many)
	k.put(at(0, 2), page)
	now, _ := k.figures()
	require.Equal(t, one, now)
	require.NotNil(t, k.get(at(0, 2)))
	require.Nil(t, k.get(at(1, 1)))
}

// Pages of two logins have different ETags, even if they are the same.
func TestCachedPagesOfTwoLogins(t *testing.T) {
	a, b := newCachedPage("a", []byte("head"), []byte("tail")), newCachedPage("b", []byte("head"), []byte("tail"))
	require.NotEqual(t, a.tag, b.tag)
	require.NotEqual(t, a.tag, newCachedPage("a", []byte("head "), []byte("tail")).tag)
}
