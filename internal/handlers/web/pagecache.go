package web

import (
	"bytes"
	"compress/flate"
	"container/list"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/views/ui"
)

// Pages that are kept (rule WEB-19): a page that Endpoint.Cacheable says may be sent again, as it was made, to the same login
// as long as everything that it is made of is the same. Its key has all of that, so nothing kept is ever wrong. Of each
// address only the newest page is kept for a login, and none for longer than cachePeriod: so what is kept does not grow with
// history. Within the budget, what was not asked for longest makes room.

const (
	// defaultCacheBytes is how many bytes of pages are kept by default.
	defaultCacheBytes = 32 << 20
	// cachePeriod is how long a page stays the same where nothing changes but the time. Due dates turn at the end of a day
	// in their zone, and those differ from UTC by whole quarters of an hour.
	cachePeriod = 15 * time.Minute
)

// The context keys of a page that may be kept.
const (
	markKey      = "mark"      // *marking
	cacheableKey = "cacheable" // *cacheable
)

// marking asks FindLogin for the mark of a session's page.
type marking struct {
	session string
	mark    db.Mark
}

// keeping is a page that is being made and may be kept.
type cacheable struct {
	key   pageKey
	login string
	mark  db.Mark
	same  bool // what the page was made of has the mark that the request began with
}

// Cached answers with the page as it was made before, if it would be made alike now, else calls show, whose page Render
// then keeps. parts is what the page depends on besides the address, the login and the store.
func (s *Server) Cached(c echo.Context, parts string, show func(echo.Context) error) error {
	m, _ := c.Get(markKey).(*marking)
	c.Set(leaveGzipKey, true)
	if s.pageCache == nil || m == nil || !m.mark.Known || s.guide != "" || c.Request().Header.Get("HX-Request") != "" {
		return show(c)
	}
	l, p := s.SignedIn(c), s.preferences(c)
	if l == nil || c.Response().Header().Get("Set-Cookie") != "" {
		return show(c)
	}
	k := &cacheable{login: l.ID, mark: m.mark}
	k.key = s.keyOf(c, l, &p, &m.mark, parts)
	if page := s.pageCache.get(k.key); page != nil {
		return s.sendCached(c, page)
	}
	c.Set(cacheableKey, k)
	return show(c)
}

// NotKept is for a page of Cached that shows what its mark does not count.
func NotKept(c echo.Context) { c.Set(cacheableKey, nil) }

// leaveGzipKey is the context key of a request whose answer the middleware leaves to Render to compress.
const leaveGzipKey = "leave gzip"

// gzipNow is the middleware for pages of Cached that are not kept.
var gzipNow = middleware.GzipWithConfig(middleware.GzipConfig{MinLength: minCompressed})

// pageKey is everything that a page depends on: who asks for which address and how they want to see it, and then the
// state of what is shown.
type pageKey struct {
	all     []byte
	address int   // how many bytes of all say who asks for what
	period  int64 // how many times cachePeriod have passed; part of the state
}

// keyOf returns the key of a page. Its parts are preceded by their lengths.
func (s *Server) keyOf(c echo.Context, l *db.SignedIn, p *prefs, m *db.Mark, parts string) (k pageKey) {
	k.all, k.period = make([]byte, 0, 512), s.Now().UnixNano()/int64(cachePeriod)
	k.add(l.ID, p.lang, p.theme, p.digits, parts, c.Request().URL.Path, c.Request().URL.RawQuery)
	k.address = len(k.all)
	k.add(l.UserID, l.TenantID, l.User.Login, l.User.Name, string(l.Role), l.Tenant.Name, l.Tenant.Slug,
		string(l.Tenant.Second), l.Tenant.TimeZone, s.Store.FrozenFor(l.TenantID), m.Views)
	for _, n := range [...]int64{
		m.Epoch, m.General, m.Session, m.Revision, int64(m.Unread), int64(l.Tenant.FreshnessMonths),
		k.period, number(l.Vouched), number(l.Tenant.SecondFactor), number(l.User.TOTP != nil),
	} {
		k.all = binary.AppendVarint(k.all, n)
	}
	return k
}

func (k *pageKey) add(parts ...string) {
	for _, part := range parts {
		k.all = binary.AppendUvarint(k.all, uint64(len(part)))
		k.all = append(k.all, part...)
	}
}

func number(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// checkMark is a read of a page that may be kept, among the others of Load: it compares the moment that these see with the
// one that the request began with. It reads the figure of the bell, too.
func (s *Server) checkMark(c echo.Context) error {
	k, _ := c.Get(cacheableKey).(*cacheable)
	if k == nil {
		return s.readUnread(c)
	}
	m, err := s.Store.MarkOf(c.Request().Context(), s.Who(c), c.Param("id"), ui.MaxUnread)
	if err != nil {
		return nil //nolint:nilerr // the page is shown all the same, and not kept
	}
	k.same = m == k.mark
	c.Set(unreadKey, m.Unread)
	return nil
}

// cache keeps the page that was made for a request and sends it; done is false if it must be sent otherwise.
func (s *Server) cache(c echo.Context, status int, html []byte) (done bool, err error) {
	k, _ := c.Get(cacheableKey).(*cacheable)
	if k == nil || !k.same || status != http.StatusOK || c.Response().Header().Get("Set-Cookie") != "" {
		return false, nil
	}
	id := ui.RequestMark(RequestID(c))
	at := bytes.LastIndex(html, []byte(id))
	if id == "" || at < 0 {
		return false, nil
	}
	page := newCachedPage(k.login, html[:at], html[at+len(id):])
	s.pageCache.put(k.key, page)
	return true, s.sendCached(c, page)
}

// sendCached sends a page with the request's own id in it, or says that the browser has it.
func (s *Server) sendCached(c echo.Context, page *cachedPage) error {
	h := c.Response().Header()
	h.Add("Vary", "Accept-Encoding, Cookie, HX-Request, HX-Request-Type")
	if s.clearsSiteData(c.Request()) {
		h.Set("Cache-Control", "private, no-cache")
		if NotModified(c, page.tag) {
			return c.NoContent(http.StatusNotModified)
		}
	}
	h.Set("Content-Type", echo.MIMETextHTMLCharsetUTF8)
	id := ui.RequestMark(RequestID(c))
	if acceptsGzip(c.Request()) {
		h.Set("Content-Encoding", "gzip")
		return page.sendGzip(c, id)
	}
	h.Set("Content-Length", strconv.Itoa(len(page.head)+len(id)+len(page.tail)))
	return sendParts(c, page.head, []byte(id), page.tail)
}

// sendParts sends an answer with 200 at once.
func sendParts(c echo.Context, parts ...[]byte) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	for _, part := range parts {
		buf.Write(part)
	}
	c.Response().WriteHeader(http.StatusOK)
	_, err := c.Response().Write(buf.Bytes())
	return err
}

// clearsSiteData reports whether a browser that has a page stored will forget it when it is told so at the end of a login
// (Clear-Site-Data): browsers obey that over TLS and on this very machine only. Elsewhere nothing is stored.
func (s *Server) clearsSiteData(r *http.Request) bool {
	return s.IsSecure(r) || auth.IsLoopback(hostName(r.Host))
}

// acceptsGzip reports whether an answer may be compressed, as the middleware for other answers sees it.
func acceptsGzip(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
}

// cachedPage is a page before and after the request's id.
type cachedPage struct {
	head, tail []byte
	tag        string // its ETag: a digest of the page and of the login that it is for

	pack               sync.Once
	gzipHead, gzipTail []byte // as deflate blocks
	sum                uint32 // CRC-32 of head
}

func newCachedPage(login string, head, tail []byte) *cachedPage {
	p := &cachedPage{head: bytes.Clone(head), tail: bytes.Clone(tail)}
	sum := sha256.New()
	for _, part := range [][]byte{[]byte(login), {0}, head, {0}, tail} {
		_, _ = sum.Write(part) // never fails
	}
	p.tag = `"` + base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:18]) + `"`
	return p
}

// size is how much memory the page takes, compressed too.
func (p *cachedPage) size() int { return (len(p.head)+len(p.tail))*5/4 + 512 }

var (
	deflaters  = sync.Pool{New: func() any { w, _ := flate.NewWriter(nil, flate.DefaultCompression); return w }}
	gzipHeader = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}
)

// packed compresses both parts, once: each begins with an empty window and ends at a byte, so that what is between them
// can be put there as it is.
func (p *cachedPage) deflate() {
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	var head, tail bytes.Buffer
	head.Write(gzipHeader)
	w.Reset(&head)
	_, _ = w.Write(p.head) // a Buffer takes everything
	_ = w.Flush()
	w.Reset(&tail)
	_, _ = w.Write(p.tail)
	_ = w.Close()
	p.gzipHead, p.gzipTail = bytes.Clone(head.Bytes()), bytes.Clone(tail.Bytes())
	p.sum = crc32.ChecksumIEEE(p.head)
}

// sendGzip sends the page as one gzip member: its head, the id as a stored block, its tail, the checksum.
func (p *cachedPage) sendGzip(c echo.Context, id string) error {
	p.pack.Do(p.deflate)
	sum := crc32.Update(crc32.Update(p.sum, crc32.IEEETable, []byte(id)), crc32.IEEETable, p.tail)
	length := uint16(len(id))
	stored := append(make([]byte, 0, 64), 0)
	stored = binary.LittleEndian.AppendUint16(stored, length)
	stored = append(binary.LittleEndian.AppendUint16(stored, ^length), id...)
	end := binary.LittleEndian.AppendUint32(make([]byte, 0, 8), sum)
	end = binary.LittleEndian.AppendUint32(end, uint32(len(p.head)+len(id)+len(p.tail)))
	c.Response().Header().Set("Content-Length", strconv.Itoa(len(p.gzipHead)+len(stored)+len(p.gzipTail)+len(end)))
	return sendParts(c, p.gzipHead, stored, p.gzipTail, end)
}

// pageCache are the pages that were asked for last, one for each address and login, up to a number of bytes. It is safe
// for concurrent use.
type pageCache struct {
	mu    sync.Mutex
	limit int
	bytes int
	of    map[string]*list.Element // by the part of the key that is the address
	used  *list.List               // of *cacheEntry, the last used first
}

type cacheEntry struct {
	key     string
	address int
	period  int64
	page    *cachedPage
}

// size is how many bytes an entry takes.
func (x *cacheEntry) size() int { return x.page.size() + 2*len(x.key) }

// newPageCache keeps up to limit bytes: defaultCacheBytes if 0, nothing if negative.
func newPageCache(limit int) *pageCache {
	if limit < 0 {
		return nil
	}
	if limit == 0 {
		limit = defaultCacheBytes
	}
	return &pageCache{limit: limit, of: map[string]*list.Element{}, used: list.New()}
}

func (k *pageCache) get(key pageKey) *cachedPage {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.of[string(key.all[:key.address])]
	if e == nil {
		return nil
	}
	x := e.Value.(*cacheEntry)
	if x.key != string(key.all) {
		return nil
	}
	k.used.MoveToFront(e)
	return x.page
}

// put keeps a page instead of the one that its address had before, and lets go of those that were not asked for longest: at
// the end of the list are all those of an earlier period, which cannot be sent again. One that is larger than a sixteenth of
// everything is not kept.
func (k *pageCache) put(key pageKey, page *cachedPage) {
	x := &cacheEntry{key: string(key.all), address: key.address, period: key.period, page: page}
	size := x.size()
	k.mu.Lock()
	defer k.mu.Unlock()
	if e := k.used.Front(); e != nil && e.Value.(*cacheEntry).period > x.period {
		return // it was begun in an earlier period than pages that are kept already
	}
	if e := k.of[x.key[:x.address]]; e != nil {
		k.drop(e)
	}
	for e := k.used.Back(); e != nil && e.Value.(*cacheEntry).period < x.period; e = k.used.Back() {
		k.drop(e)
	}
	if size > k.limit/16 {
		return
	}
	k.of[x.key[:x.address]] = k.used.PushFront(x)
	for k.bytes += size; k.bytes > k.limit; {
		k.drop(k.used.Back())
	}
}

func (k *pageCache) drop(e *list.Element) {
	x := k.used.Remove(e).(*cacheEntry)
	delete(k.of, x.key[:x.address])
	k.bytes -= x.size()
}

// figures returns how many bytes of pages are kept, and how many may be, for the metrics.
func (k *pageCache) figures() (bytes, limit int) {
	if k == nil {
		return 0, 0
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.bytes, k.limit
}
