// Package packfiles reads the files in which a pack comes (rule F-11): a zip, the folder that it unpacks to, its JSON
// and its PDF. It splits them into their parts and verifies nothing. It also tells the media type of a file that is to
// go into a pack.
package packfiles
