// Search, copying, and finding a row by what one wants to happen. The pages are whole without it.

const search = document.getElementById('search')
const found = document.getElementById('found')
let index

async function entries() {
  index ??= fetch('/docs/search.json').then((answer) => answer.json())
  return index
}

/** Every word has to be there; words of a heading count more than those of its text. */
function rank(all, words) {
  const hits = []
  for (const entry of all) {
    const [heading, page, text] = [entry.heading, entry.page, entry.text].map((part) => part.toLowerCase())
    let score = 0
    for (const word of words) {
      const worth = heading.includes(word) ? 8 : page.includes(word) ? 4 : text.includes(word) ? 1 : 0
      if (worth === 0) {
        score = 0
        break
      }
      score += worth
    }
    if (score > 0) hits.push({ entry, score })
  }
  return hits.sort((a, b) => b.score - a.score).slice(0, 20)
}

function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 40)
  return text.slice(at, at + 140)
}

async function look() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10)
  if (words.length === 0) {
    found.hidden = true
    return
  }
  const hits = rank(await entries(), words)
  found.replaceChildren(
    ...hits.map(({ entry }) => {
      const item = document.createElement('li')
      const link = document.createElement('a')
      link.href = entry.at
      link.textContent = entry.heading === entry.page ? entry.page : `${entry.page}: ${entry.heading}`
      const text = document.createElement('small')
      text.textContent = excerpt(entry.text, words[0])
      link.append(text)
      item.append(link)
      return item
    }),
  )
  if (hits.length === 0) {
    const nothing = document.createElement('li')
    nothing.textContent = 'Nothing found.'
    found.append(nothing)
  }
  found.hidden = false
}

search.addEventListener('input', look)
search.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') found.querySelector('a')?.click()
  if (event.key === 'Escape') found.hidden = true
})
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) found.hidden = true
})
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) {
    event.preventDefault()
    search.focus()
  }
})

for (const figure of document.querySelectorAll('figure:not(.output)')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent)
    button.textContent = 'Copied'
  })
  figure.append(button)
}

// On the sandbox page: rows by what one wants to happen, whatever their ending is called.
const rows = [...document.querySelectorAll('main table tbody tr')]
if (location.pathname === '/docs/guides/sandbox' && rows.length > 0) {
  const wish = document.createElement('input')
  wish.type = 'search'
  wish.className = 'wish'
  wish.placeholder = 'What should happen? For example: returned, declined, review'
  wish.setAttribute('aria-label', 'What should happen?')
  document.querySelector('main h1').after(wish)
  wish.addEventListener('input', () => {
    const words = wish.value.toLowerCase().split(/\s+/).filter(Boolean)
    for (const row of rows) {
      const text = row.textContent.toLowerCase()
      row.hidden = !words.every((word) => text.includes(word))
    }
    for (const table of document.querySelectorAll('main table')) {
      table.hidden = ![...table.querySelectorAll('tbody tr')].some((row) => !row.hidden)
    }
  })
}
