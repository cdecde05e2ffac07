// What `ptc help` and `/help` print.

export const help = `ptc - live TypeScript sessions that survive a crash

usage: ptc [flags]                     a session in the terminal; without a terminal the cells are read from stdin
       ptc run [flags] FILE...         run each file as one cell, stop at the first that fails ("-" is stdin)
       ptc batch [flags]               requests as JSON lines on stdin, results as JSON lines on stdout
       ptc sessions [flags]            the sessions that have a history
       ptc journal [flags] [SESSION]   the history of a session
                  --verify             check its lines, its records and a replay of them; nothing is changed
                  --export FILE        write it as a document for another machine ("-" is stdout)
                  --import FILE        make a session of such a document ("-" is stdin)
       ptc help                        this text

flags: --session NAME   the session to use (default "default")
       --home DIR       where histories live (default $PTC_HOME or ~/.ptc-plus)
       --memory         keep histories in memory only; they end with the process, and at a restart of batch
       --policy NAME    stateful: a cell may declare a name again (default); protected: it may not
       --cwd DIR        the folder in which cells run (default: the current one)
       --json           results, sessions and history entries as JSON lines
       --with FILE      load one more plugin; may be repeated
       --compose FILE   load the plugins that this YAML file lists, instead of the standard ones
       -h, --help       this text
       -v, --version    the version

exit status: 0 fine, 1 a cell of "run" failed, "--verify" found something or the program could not work,
             2 the command line makes no sense
`

export const shellHelp = `Type TypeScript. An unfinished cell goes on in the next line; Enter on a finished one runs it.

/names            the names that this session has declared
/tools [NAME]     what cells can call; with a namespace or a member, more about it
/find WORDS       search for tools by words in their names and descriptions
/close NAME       take a tool, a namespace or an MCP server (mcp.NAME) away from this session; /open NAME gives it back
/refresh          compose what this session may call anew, from what there is today
/edit             change the last cell in $EDITOR and run it again
/journal [COUNT]  the last entries of its history (default 10)
/session [NAME]   show the session, or change to another one
/policy [NAME]    show or set the policy: stateful or protected
/reset            drop the live state; the next cell brings it back from the history
/exit             leave (also Ctrl-D)

Keys: Tab completes names, Up and Down walk through the lines and then the history, Ctrl-R searches it,
Alt-Enter makes a new line, Ctrl-C stops a running cell or clears the input.
`
