package ui

// MaxUnread is where counting unread notifications stops: that many are shown as one less, and more.
const MaxUnread = 100

// unreadShown writes how many notifications are unread.
func (c *Chrome) unreadShown() string {
	if c.Unread >= MaxUnread {
		return c.Num(MaxUnread-1) + "+"
	}
	return c.Num(c.Unread)
}

// bellLabel names the link to the notifications.
func (c *Chrome) bellLabel() string {
	if c.Unread == 0 {
		return c.T("ntf_title")
	}
	return c.T("ntf_unread_label", "N", c.unreadShown())
}
