// Comfort for the verification page; every form works without it.

const maxBytes = 10 * 1024 * 1024
const types = ['application/pdf', 'image/jpeg', 'image/png']

// After a refused form, readers of the screen hear first what is wrong.
document.querySelector('[data-focus]')?.focus()

for (const list of document.querySelectorAll('[data-search]')) addSearch(list)
for (const form of document.querySelectorAll('form[data-upload]')) enhanceUpload(form)
showWhenOther()

/** A field that narrows down a long list of boxes, and a line that says what is chosen. */
function addSearch(list) {
  const field = document.createElement('input')
  field.type = 'search'
  field.className = 'search'
  field.placeholder = 'Search'
  field.setAttribute('aria-label', list.dataset.search)
  const chosen = document.createElement('p')
  chosen.className = 'chosen'
  chosen.setAttribute('role', 'status')
  const labels = [...list.querySelectorAll('.check')]
  const tell = () => {
    const names = labels.filter((label) => label.control.checked).map((label) => label.textContent.trim())
    chosen.textContent = names.length === 0 ? 'None chosen' : `Chosen: ${names.join(', ')}`
  }
  field.addEventListener('input', () => {
    const wanted = field.value.trim().toLowerCase()
    for (const label of labels) label.hidden = !label.textContent.toLowerCase().includes(wanted)
  })
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault()
  })
  list.addEventListener('change', tell)
  list.before(field)
  list.after(chosen)
  tell()
}

/** "If other" is asked only when something is "Other". */
function showWhenOther() {
  const select = document.getElementById('f-businessInfo-purposeOfAccount')
  const field = document.getElementById('f-businessInfo-purposeOfAccountOtherDescription')?.closest('.field')
  if (!select || !field) return
  const update = () => {
    field.hidden = select.value !== 'OTHER'
  }
  select.addEventListener('change', update)
  update()
}

/** Shows the chosen file, refuses what cannot work, and tells how the upload goes on. */
function enhanceUpload(form) {
  const input = form.querySelector('input[type=file]')
  const preview = form.querySelector('[data-preview]')
  const progress = form.querySelector('[data-progress]')
  const status = form.querySelector('[data-status]')
  const button = form.querySelector('button[type=submit]')
  let shown

  input.addEventListener('change', () => {
    clearError(input)
    if (shown) URL.revokeObjectURL(shown)
    shown = undefined
    preview.replaceChildren()
    const [file] = input.files
    preview.hidden = !file
    if (!file) return
    const problem = problemOf(file)
    if (problem) showError(input, problem)
    if (!problem && file.type.startsWith('image/')) {
      const image = document.createElement('img')
      shown = URL.createObjectURL(file)
      image.src = shown
      image.alt = 'Preview of the chosen file'
      preview.append(image)
    }
    preview.append(`${file.name} (${sizeOf(file.size)})`)
  })

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    for (const field of form.querySelectorAll('[aria-invalid]')) clearError(field)
    const [file] = input.files
    const problem = file && problemOf(file)
    if (problem) {
      showError(input, problem)
      input.focus()
      return
    }
    send(new FormData(form))
  })

  function send(data) {
    const request = new XMLHttpRequest()
    request.open('POST', form.action)
    request.setRequestHeader('accept', 'application/json')
    request.responseType = 'json'
    const bar = progress.querySelector('progress')
    progress.hidden = !input.files.length
    button.disabled = true
    status.textContent = ''
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      bar.value = Math.round((loaded / total) * 100)
      if (loaded === total) status.textContent = 'Checking the file.'
    })
    request.addEventListener('load', () => {
      const answer = request.response
      if (request.status === 200 && answer?.location) {
        location.assign(answer.location)
        return
      }
      stop('')
      if (request.status !== 422 || !answer?.errors) {
        // Expired meanwhile, or worse: the page itself says what happened.
        location.reload()
        return
      }
      for (const { field, message } of answer.errors) showError(form.elements[field] ?? input, message)
      form.querySelector('[aria-invalid]')?.focus()
    })
    request.addEventListener('error', () => {
      stop('The upload was interrupted. Check your connection and try again.')
    })
    request.send(data)
  }

  function stop(message) {
    progress.hidden = true
    button.disabled = false
    status.textContent = message
  }
}

function problemOf(file) {
  if (file.size === 0) return 'File is empty'
  if (file.size > maxBytes) return 'File is larger than 10 MB'
  if (file.type && !types.includes(file.type)) return 'File is not a PDF, JPEG or PNG file'
  return undefined
}

function showError(control, message) {
  clearError(control)
  const id = `${control.id}-error`
  const text = document.createElement('p')
  text.className = 'error'
  text.id = id
  text.textContent = message
  control.before(text)
  control.setAttribute('aria-invalid', 'true')
  control.setAttribute('aria-describedby', `${control.getAttribute('aria-describedby') ?? ''} ${id}`.trim())
  control.closest('.field').classList.add('wrong')
}

function clearError(control) {
  const id = `${control.id}-error`
  document.getElementById(id)?.remove()
  control.removeAttribute('aria-invalid')
  const described = (control.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter((each) => each && each !== id)
  if (described.length > 0) control.setAttribute('aria-describedby', described.join(' '))
  else control.removeAttribute('aria-describedby')
  control.closest('.field').classList.remove('wrong')
}

function sizeOf(bytes) {
  return bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
